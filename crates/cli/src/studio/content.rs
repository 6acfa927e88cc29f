//! The body of an answer: bytes that are shared, or a file that is read piece by piece while it is sent.

use hyper::body::{Body, Bytes, Frame, SizeHint};
use std::borrow::Cow;
use std::fs::File;
use std::io::{Error, ErrorKind};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, ReadBuf};

/// Bytes that are read of a file at once. An answer holds a few pieces, however large its file is.
pub(super) const PIECE: usize = 64 << 10;

/// What is sent.
#[derive(Debug)]
pub(super) enum Content {
    /// All of it, in memory.
    Bytes(Bytes),
    /// So many bytes of a file.
    File {
        /// The file, at the first byte that was not read yet.
        file: tokio::fs::File,
        /// Bytes that are left to be read.
        left: u64,
    },
}

impl Content {
    /// The whole of a file, whose length is known.
    pub(super) fn of_file(file: File, length: u64) -> Self {
        let mut file = tokio::fs::File::from_std(file);
        file.set_max_buf_size(PIECE);
        Self::File { file, left: length }
    }

    /// Bytes that are left to be sent.
    pub(super) fn length(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::File { left, .. } => *left,
        }
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self::Bytes(text.into())
    }
}

impl From<Cow<'static, [u8]>> for Content {
    fn from(bytes: Cow<'static, [u8]>) -> Self {
        Self::Bytes(match bytes {
            Cow::Borrowed(bytes) => Bytes::from_static(bytes),
            Cow::Owned(bytes) => bytes.into(),
        })
    }
}

impl Body for Content {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        match self.get_mut() {
            Self::Bytes(bytes) if bytes.is_empty() => Poll::Ready(None),
            Self::Bytes(bytes) => Poll::Ready(Some(Ok(Frame::data(std::mem::take(bytes))))),
            Self::File { left: 0, .. } => Poll::Ready(None),
            Self::File { file, left } => {
                let size = (*left).min(PIECE as u64) as usize;
                let mut piece = vec![0; size];
                let mut read = ReadBuf::new(&mut piece);
                ready!(Pin::new(file).poll_read(context, &mut read))?;
                let length = read.filled().len();
                if length == 0 {
                    let why = "the file became shorter while it was sent";
                    return Poll::Ready(Some(Err(Error::new(ErrorKind::UnexpectedEof, why))));
                }
                piece.truncate(length);
                *left -= length as u64;
                Poll::Ready(Some(Ok(Frame::data(piece.into()))))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.length() == 0
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.length())
    }
}
