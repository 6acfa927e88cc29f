//! JSON pointers into a file, with names in place of indices, and back.
//!
//! A name stands for an index where the object has one, no other object of the list has the same, and it
//! does not look like an index itself.

use super::json::TopLevel;
use serde_json::Value;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What a loader assumes where a material lacks it.
const MAY_BE_MISSING: &str = "pbrMetallicRoughness";

/// The parts of a file that pointers lead into, parsed when first needed.
pub(super) struct Pointers<'a> {
    top: &'a TopLevel<'a>,
    members: RefCell<BTreeMap<String, Option<Rc<Value>>>>,
}

/// Where a pointer with names leads in a file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Resolved {
    /// The pointer with indices.
    pub pointer: String,
    /// True where the property is no number but true or false.
    pub is_flag: bool,
}

impl<'a> Pointers<'a> {
    /// Parses nothing yet.
    pub(super) fn new(top: &'a TopLevel<'a>) -> Self {
        Self {
            top,
            members: RefCell::default(),
        }
    }

    fn member(&self, key: &str) -> Option<Rc<Value>> {
        if let Some(known) = self.members.borrow().get(key) {
            return known.clone();
        }
        let parsed = self.top.value::<Value>(key).ok().flatten().map(Rc::new);
        let mut members = self.members.borrow_mut();
        members.insert(key.to_owned(), parsed.clone());
        parsed
    }

    /// The pointer with names in place of indices, as far as that is unambiguous.
    pub(super) fn named(&self, pointer: &str) -> String {
        let mut tokens = pointer.split('/').skip(1);
        let Some(key) = tokens.next() else {
            return pointer.to_owned();
        };
        let member = self.member(&unescaped(key));
        let mut at = member.as_deref();
        let mut path = format!("/{key}");
        for token in tokens {
            path.push('/');
            let index = token.parse::<usize>().ok();
            at = match (at, index) {
                (Some(Value::Array(list)), Some(index)) => {
                    match unique_name(list, index) {
                        Some(name) => path.push_str(&escaped(name)),
                        None => path.push_str(token),
                    }
                    list.get(index)
                }
                (at, _) => {
                    path.push_str(token);
                    at.and_then(|at| at.get(unescaped(token)))
                }
            };
        }
        path
    }

    /// Where a pointer with names leads; `None` where the file has no such object.
    pub(super) fn resolve(&self, path: &str) -> Option<Resolved> {
        let mut tokens: Vec<&str> = path.split('/').collect();
        if tokens.len() < 4 || !tokens.first()?.is_empty() {
            return None;
        }
        let property = tokens.pop()?;
        let key = *tokens.get(1)?;
        let member = self.member(&unescaped(key))?;
        let mut at: Option<&Value> = Some(&member);
        let mut pointer = format!("/{key}");
        for token in tokens.iter().skip(2) {
            pointer.push('/');
            at = match at? {
                Value::Array(list) => {
                    let index = place(list, &unescaped(token))?;
                    pointer.push_str(&index.to_string());
                    Some(list.get(index)?)
                }
                Value::Object(object) => {
                    pointer.push_str(token);
                    let next = object.get(&unescaped(token));
                    if next.is_none() && *token != MAY_BE_MISSING {
                        return None;
                    }
                    next
                }
                _ => return None,
            };
        }
        let now = at.and_then(|at| at.get(unescaped(property)));
        let is_flag = now.map_or_else(
            || matches!(property, "visible" | "selectable" | "hoverable"),
            Value::is_boolean,
        );
        Some(Resolved {
            pointer: format!("{pointer}/{property}"),
            is_flag,
        })
    }
}

/// The element's name, where no other has the same and it is no number.
fn unique_name(list: &[Value], index: usize) -> Option<&str> {
    let name = |value: &'_ Value| value.get("name").and_then(Value::as_str).map(str::to_owned);
    let own = list.get(index)?.get("name")?.as_str()?;
    let is_usable = !own.is_empty() && own.parse::<usize>().is_err();
    let same = list
        .iter()
        .filter(|other| name(other).as_deref() == Some(own));
    (is_usable && same.count() == 1).then_some(own)
}

/// The index that a name or an index stands for.
fn place(list: &[Value], token: &str) -> Option<usize> {
    if let Ok(index) = token.parse::<usize>() {
        return (index < list.len()).then_some(index);
    }
    let is = |value: &Value| value.get("name").and_then(Value::as_str) == Some(token);
    let index = list.iter().position(is)?;
    let others = list.iter().skip(index + 1);
    (!others.into_iter().any(is)).then_some(index)
}

fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

fn unescaped(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"{"materials":[{"name":"Skin"},{"name":"Eyes/L"},{"name":"Skin"},{},{"name":"7",
        "extensions":{"KHR_materials_emissive_strength":{"emissiveStrength":2}}}],
        "nodes":[{"name":"lamp","extensions":{"KHR_node_visibility":{"visible":true}}}],
        "extensions":{"KHR_lights_punctual":{"lights":[{"name":"sun","intensity":1}]}}}"#;

    #[test]
    fn names_and_back() {
        let top = TopLevel::parse(FILE).unwrap();
        let pointers = Pointers::new(&top);
        for (pointer, path, is_flag) in [
            (
                "/materials/1/emissiveFactor",
                "/materials/Eyes~1L/emissiveFactor",
                false,
            ),
            (
                "/materials/0/alphaCutoff",
                "/materials/0/alphaCutoff",
                false,
            ),
            (
                "/materials/4/alphaCutoff",
                "/materials/4/alphaCutoff",
                false,
            ),
            (
                "/materials/3/pbrMetallicRoughness/baseColorFactor",
                "/materials/3/pbrMetallicRoughness/baseColorFactor",
                false,
            ),
            (
                "/nodes/0/extensions/KHR_node_visibility/visible",
                "/nodes/lamp/extensions/KHR_node_visibility/visible",
                true,
            ),
            (
                "/extensions/KHR_lights_punctual/lights/0/intensity",
                "/extensions/KHR_lights_punctual/lights/sun/intensity",
                false,
            ),
        ] {
            assert_eq!(pointers.named(pointer), path);
            let resolved = pointers.resolve(path).unwrap();
            assert_eq!(resolved.pointer, pointer);
            assert_eq!(resolved.is_flag, is_flag, "{path}");
        }
    }

    #[test]
    fn what_the_file_lacks_does_not_resolve() {
        let top = TopLevel::parse(FILE).unwrap();
        let pointers = Pointers::new(&top);
        for path in [
            "/materials/Skin/alphaCutoff",
            "/materials/Hair/alphaCutoff",
            "/materials/9/alphaCutoff",
            "/materials/1/extensions/KHR_materials_emissive_strength/emissiveStrength",
            "/cameras/0/perspective/yfov",
            "/materials",
            "materials/1/alphaCutoff/x",
            "",
        ] {
            assert_eq!(pointers.resolve(path), None, "{path}");
        }
    }
}
