//! `rebone studio`: the page, served to the browser of this machine.

use crate::Outcome;
use crate::arguments;
use crate::console;
use crate::failure::Failure;
use crate::studio::{Given, Page, Server};

/// Runs the command.
pub(crate) fn run(arguments: &arguments::Studio) -> Result<Outcome, Failure> {
    let page = Page::open(arguments.folder.as_deref())?;
    let given = Given::open(&arguments.files)?;
    let server = Server::bind(arguments.port)?;
    let address = server.address();
    console::data(&format!("{address}\n"))?;
    if !arguments.no_open && open::that_detached(&address).is_err() {
        console::note("no browser could be opened; open the address above yourself");
    }
    console::remark("nothing leaves this machine; Ctrl-C ends it");
    server.run(page, given)?;
    Ok(Outcome::Done)
}
