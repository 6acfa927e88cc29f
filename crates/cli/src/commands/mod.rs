//! One file a command.

pub(crate) mod align;
pub(crate) mod apply;
pub(crate) mod batch;
pub(crate) mod compile;
pub(crate) mod convert;
pub(crate) mod demo;
mod doubts;
pub(crate) mod inspect;
mod inspect_text;
pub(crate) mod layer;
pub(crate) mod licences;
pub(crate) mod map;
mod map_text;
pub(crate) mod mirror;
pub(crate) mod pages;
pub(crate) mod rebind;
pub(crate) mod recipe;
pub(crate) mod render;
mod render_rows;
pub(crate) mod report;
pub(crate) mod retarget;
mod retarget_results;
pub(crate) mod retarget_sources;
pub(crate) mod settings;
pub(crate) mod studio;
