//! The first half of a BVH: the joints and their channels.

use super::channels::Channel;
use super::lexer::{Lexer, quoted};
use crate::error::Error;
use crate::limits::Limits;
use rebone_model::Warning;

/// A joint as the file has it.
#[derive(Clone, Debug)]
pub(super) struct FileJoint {
    /// The file's name; `node_N` where it gives none.
    pub(super) name: String,
    /// Index of the parent; `None` for a `ROOT`.
    pub(super) parent: Option<usize>,
    /// `OFFSET`.
    pub(super) offset: [f64; 3],
    /// `OFFSET` of the first `End Site`.
    pub(super) end: Option<[f64; 3]>,
    /// Channels in the order listed.
    pub(super) channels: Vec<Channel>,
    /// Column of the first channel in a row of the motion.
    pub(super) first_column: usize,
}

/// All joints of a file, parents before children.
#[derive(Debug)]
pub(super) struct Hierarchy {
    /// In file order.
    pub(super) joints: Vec<FileJoint>,
    /// Numbers in a row of the motion.
    pub(super) column_count: usize,
    /// Byte offset of the word `MOTION` and of what follows it.
    pub(super) motion: Option<(usize, usize)>,
    /// Survivable oddities.
    pub(super) warnings: Vec<Warning>,
}

/// What an open brace belongs to.
#[derive(Clone, Copy)]
enum Block {
    Joint(usize),
    EndSite(usize),
}

const CUT_OFF: &str = "the file is cut off; export or copy it again";

impl Hierarchy {
    /// Reads the text up to and including the word `MOTION`, or to the end.
    pub(super) fn parse(bytes: &[u8], limits: &Limits) -> Result<Self, Error> {
        let mut lexer = Lexer::new(bytes);
        if !lexer.peek_word().eq_ignore_ascii_case(b"HIERARCHY") {
            return Err(Error::malformed(
                "the file does not begin with the word HIERARCHY",
                lexer.place(),
                "check that it is a BVH file",
            ));
        }
        lexer.word();
        let mut parser = Parser {
            lexer,
            limits,
            open: Vec::new(),
            has_offset: Vec::new(),
            hierarchy: Self {
                joints: Vec::new(),
                column_count: 0,
                motion: None,
                warnings: Vec::new(),
            },
        };
        while parser.step()? {}
        parser.finish()
    }
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    limits: &'a Limits,
    open: Vec<Block>,
    /// Per joint, whether its `OFFSET` was seen.
    has_offset: Vec<bool>,
    hierarchy: Hierarchy,
}

impl Parser<'_> {
    /// Reads one statement; false at the end of the hierarchy.
    fn step(&mut self) -> Result<bool, Error> {
        let word = self.lexer.peek_word();
        let start = self.lexer.offset();
        let is = |keyword: &str| word.eq_ignore_ascii_case(keyword.as_bytes());
        match self.open.last().copied() {
            None if word.is_empty() => return Ok(false),
            None if is("MOTION") => {
                self.lexer.word();
                self.hierarchy.motion = Some((start, self.lexer.offset()));
                return Ok(false);
            }
            None if is("ROOT") => self.joint(None)?,
            Some(Block::Joint(parent)) if is("JOINT") => self.joint(Some(parent))?,
            Some(Block::Joint(joint)) if is("End") || is("EndSite") => self.end_site(joint)?,
            Some(Block::Joint(joint)) if is("CHANNELS") => self.channels(joint)?,
            Some(block) if is("OFFSET") => self.offset(block)?,
            Some(_) if is("}") => {
                self.lexer.word();
                self.open.pop();
            }
            Some(_) if word.is_empty() => {
                return Err(Error::malformed(
                    format!(
                        "the file ends inside the hierarchy, with {} braces open",
                        self.open.len()
                    ),
                    self.lexer.place(),
                    CUT_OFF,
                ));
            }
            block => {
                let expected = match block {
                    None => "ROOT or MOTION",
                    Some(Block::Joint(_)) => "OFFSET, CHANNELS, JOINT, End Site or a closing brace",
                    Some(Block::EndSite(_)) => "OFFSET or a closing brace",
                };
                return Err(Error::malformed(
                    format!("{} stands where {expected} should be", quoted(word)),
                    self.lexer.place(),
                    "check the braces and words of the hierarchy around this line",
                ));
            }
        }
        Ok(true)
    }

    fn finish(mut self) -> Result<Hierarchy, Error> {
        if self.hierarchy.joints.is_empty() {
            let (place, remedy) = (self.lexer.place(), CUT_OFF);
            return Err(Error::malformed("the file has no ROOT", place, remedy));
        }
        let without = self.has_offset.iter().filter(|seen| !**seen).count();
        if let Some(first) = self.has_offset.iter().position(|seen| !seen) {
            self.hierarchy.warnings.push(
                Warning::new(
                    "bvh-no-offset",
                    format!("{without} joints have no OFFSET; each lies on its parent"),
                    "export the file again if the skeleton looks collapsed",
                )
                .at_joint(self.hierarchy.joints[first].name.clone()),
            );
        }
        Ok(self.hierarchy)
    }

    fn joint(&mut self, parent: Option<usize>) -> Result<(), Error> {
        let index = self.hierarchy.joints.len();
        if index >= self.limits.nodes {
            return Err(Error::limit(
                format!("the file has more than {} joints", self.limits.nodes),
                self.lexer.place(),
                "raise the limit of nodes if the file is meant to be so large",
            ));
        }
        self.lexer.word();
        let mut name = self.lexer.name();
        if name.is_empty() {
            name = format!("node_{index}");
        }
        self.opening_brace()?;
        self.hierarchy.joints.push(FileJoint {
            name,
            parent,
            offset: [0.0; 3],
            end: None,
            channels: Vec::new(),
            first_column: self.hierarchy.column_count,
        });
        self.has_offset.push(false);
        self.open.push(Block::Joint(index));
        Ok(())
    }

    fn end_site(&mut self, joint: usize) -> Result<(), Error> {
        self.lexer.word();
        // "Site" and whatever name an exporter puts behind it.
        self.lexer.name();
        self.opening_brace()?;
        self.open.push(Block::EndSite(joint));
        Ok(())
    }

    fn opening_brace(&mut self) -> Result<(), Error> {
        let start = self.lexer.offset();
        if self.lexer.word() == b"{" {
            return Ok(());
        }
        Err(Error::malformed(
            "an opening brace is missing",
            self.lexer.place_of(start),
            "write { behind the name, or export the file again",
        ))
    }

    fn offset(&mut self, block: Block) -> Result<(), Error> {
        self.lexer.word();
        let mut offset = [0.0; 3];
        for coordinate in &mut offset {
            *coordinate = self.lexer.number()?;
        }
        match block {
            Block::Joint(joint) => {
                self.hierarchy.joints[joint].offset = offset;
                self.has_offset[joint] = true;
            }
            Block::EndSite(joint) => {
                self.hierarchy.joints[joint].end.get_or_insert(offset);
            }
        }
        Ok(())
    }

    fn channels(&mut self, joint: usize) -> Result<(), Error> {
        let start = self.lexer.offset();
        self.lexer.word();
        if !self.hierarchy.joints[joint].channels.is_empty()
            || self.hierarchy.joints.len() != joint + 1
        {
            return Err(Error::malformed(
                "CHANNELS is not in its place: once a joint, before the joint's children",
                self.lexer.place_of(start),
                "export the file again",
            ));
        }
        let stated = self.lexer.number()?;
        let mut channels = Vec::new();
        while let Some(channel) = Channel::from_word(self.lexer.peek_word()) {
            self.lexer.word();
            channels.push(channel);
        }
        if channels.len() as f64 != stated {
            return Err(Error::malformed(
                format!(
                    "CHANNELS states {stated} channels, but {} known names follow, then {}",
                    channels.len(),
                    quoted(self.lexer.peek_word())
                ),
                self.lexer.place_of(start),
                "name Xposition, Yposition, Zposition, Xrotation, Yrotation, Zrotation only, and as many as stated",
            ));
        }
        self.hierarchy.column_count += channels.len();
        self.hierarchy.joints[joint].channels = channels;
        Ok(())
    }
}
