//! placeholder
use crate::Outcome;
use crate::arguments::Demo;
use crate::failure::Failure;
pub(crate) fn run(arguments: &Demo) -> Result<Outcome, Failure> {
    let _ = (&arguments.output, arguments.json);
    Ok(Outcome::Done)
}
