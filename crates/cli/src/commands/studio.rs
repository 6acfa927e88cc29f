//! `rebone studio`: the page, served to the browser of this machine.

use crate::Outcome;
use crate::arguments;
use crate::console;
use crate::failure::Failure;
use crate::studio::{Given, Page, Server};
use std::io::Write;
use tempfile::NamedTempFile;

/// Runs the command.
pub(crate) fn run(arguments: &arguments::Studio) -> Result<Outcome, Failure> {
    let page = Page::open(arguments.folder.as_deref())?;
    let given = Given::open(&arguments.files)?;
    let server = Server::bind(arguments.port)?;
    let address = server.address();
    console::data(&format!("{address}\n"))?;
    let way_in = if arguments.no_open {
        None
    } else {
        let opened = open_browser(&address);
        if opened.is_err() {
            console::note("no browser could be opened; open the address above yourself");
        }
        opened.ok()
    };
    console::remark("nothing leaves this machine; Ctrl-C ends it");
    server.run(page, given)?;
    drop(way_in);
    Ok(Outcome::Done)
}

/// Opens a page that leads to the address; it must exist until the browser has read it. Every user of the machine can read
/// the arguments of a process, and the address in them would tell the secret, so the browser gets a file that only this
/// user may read.
fn open_browser(address: &str) -> std::io::Result<NamedTempFile> {
    let mut file = tempfile::Builder::new()
        .prefix("rebone-studio-")
        .suffix(".html")
        .tempfile()?;
    file.write_all(way_in(address).as_bytes())?;
    file.flush()?;
    open::that_detached(file.path())?;
    Ok(file)
}

/// A page that leads to an address.
fn way_in(address: &str) -> String {
    format!(
        "<!doctype html><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"0;url={address}\">\
         <title>Rebone</title><a href=\"{address}\">The studio</a>\n"
    )
}
