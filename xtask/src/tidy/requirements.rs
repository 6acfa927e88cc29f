//! The table of what Rebone must do, in `docs/methods/README.md`: every number has a row, and every test that a row
//! names is there.

use super::Texts;

const PAGE: &str = "docs/methods/README.md";

/// How many numbers each part has: S0.1 to S0.17, and so on.
const PARTS: [usize; 5] = [17, 13, 4, 14, 12];

pub(super) fn check(texts: &Texts) -> Vec<String> {
    let Some(page) = texts.get(PAGE) else {
        return vec![format!("{PAGE}: there is no such page")];
    };
    let mut errors = Vec::new();
    let mut wanted = numbers().into_iter().peekable();
    for (index, line) in page.lines().enumerate() {
        let cells: Vec<&str> = line.split(" | ").map(str::trim).collect();
        let Some(number) = cells[0].strip_prefix("| ").filter(|first| is_number(first)) else {
            continue;
        };
        let place = format!("{PAGE}:{}: {number}", index + 1);
        match wanted.peek() {
            Some(next) if next == number => {
                wanted.next();
            }
            Some(next) => errors.push(format!("{place}: {next} should stand here")),
            None => errors.push(format!("{place}: there is no such number")),
        }
        let [_, text, tests, command] = cells[..] else {
            errors.push(format!(
                "{place}: a row has four cells, separated by \" | \""
            ));
            continue;
        };
        if text.is_empty() || command.trim_matches(['|', ' ']).is_empty() {
            errors.push(format!("{place}: an empty cell"));
        }
        let named: Vec<_> = code(tests)
            .filter_map(|word| word.split_once("::"))
            .collect();
        if named.is_empty() {
            errors.push(format!(
                "{place}: names no test (`FILE.rs::FUNCTION`, `FILE.mjs::its name in words`)"
            ));
        }
        for (file, function) in named {
            match texts.get(file) {
                None => errors.push(format!("{place}: there is no file {file}")),
                Some(text) if !(has_test(text, function) || has_page_test(text, function)) => {
                    errors.push(format!("{place}: {file} has no test {function}"));
                }
                Some(_) => {}
            }
        }
    }
    errors.extend(wanted.map(|number| format!("{PAGE}: {number} has no row in its place")));
    errors
}

fn numbers() -> Vec<String> {
    PARTS
        .iter()
        .enumerate()
        .flat_map(|(part, &count)| (1..=count).map(move |number| format!("S{part}.{number}")))
        .collect()
}

fn is_number(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.strip_prefix('S')
        .and_then(|rest| rest.split_once('.'))
        .is_some_and(|(part, number)| digits(part) && digits(number))
}

/// What stands between backticks.
pub(super) fn code(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

/// Whether a text has a function of this name with `#[test]` before it and no other item in between.
pub(super) fn has_test(text: &str, function: &str) -> bool {
    text.match_indices(&format!("fn {function}("))
        .any(|(at, _)| {
            text[..at]
                .lines()
                .rev()
                .map(str::trim)
                .take_while(|line| {
                    line.is_empty() || line.starts_with("#[") || line.starts_with("//")
                })
                .any(|line| line == "#[test]")
        })
}

/// Whether a test of the studio's page is called so.
fn has_page_test(text: &str, name: &str) -> bool {
    text.contains(&format!("\ntest(\"{name}\","))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(change: impl Fn(&str) -> Option<String>) -> Vec<String> {
        let rows = numbers().into_iter().filter_map(|number| change(&number));
        let page = rows.collect::<Vec<_>>().join("\n");
        let test = "#[test]\n#[cfg(unix)]\n/// Why.\nfn works() {}\nfn helper() {}\n";
        let texts = [
            (PAGE.to_owned(), page),
            ("crates/a/tests/b.rs".to_owned(), test.to_owned()),
            (
                "studio/tests/c.mjs".to_owned(),
                "\ntest(\"it works, too\", () => {});\n".to_owned(),
            ),
        ];
        check(&texts.into())
    }

    fn row(number: &str, tests: &str) -> String {
        format!("| {number} | something | {tests} | `rebone map` |")
    }

    #[test]
    fn every_number_has_a_row_with_a_test_that_exists() {
        let good = "`crates/a/tests/b.rs::works`";
        assert_eq!(page(|number| Some(row(number, good))), [""; 0]);
        let of_a_page = "`studio/tests/c.mjs::it \"works\", too`";
        assert_ne!(page(|number| Some(row(number, of_a_page))), [""; 0]);
        let of_a_page = "`studio/tests/c.mjs::it works, too`";
        assert_eq!(page(|number| Some(row(number, of_a_page))), [""; 0]);
        let missing = page(|number| (number != "S3.14").then(|| row(number, good)));
        assert!(
            missing.iter().any(|error| error.contains("S3.14")),
            "{missing:?}"
        );
        for (tests, expected) in [
            ("`crates/a/tests/b.rs::helper`", "has no test helper"),
            ("`crates/a/tests/b.rs::fails`", "has no test fails"),
            ("`crates/a/tests/c.rs::works`", "there is no file"),
            ("soon", "names no test"),
            ("", "four cells"),
        ] {
            let bad = |number: &str| Some(row(number, if number == "S0.3" { tests } else { good }));
            let errors = page(bad);
            let is_named = errors.iter().any(|error| error.contains(expected));
            assert!(
                is_named || (tests.is_empty() && !errors.is_empty()),
                "{tests}: {errors:?}"
            );
        }
        let twice = |number: &str| {
            let row = row(number, good);
            Some(if number == "S4.12" {
                format!("{row}\n{row}")
            } else {
                row
            })
        };
        assert_eq!(page(twice).len(), 1);
    }
}
