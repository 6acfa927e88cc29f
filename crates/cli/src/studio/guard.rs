//! Who may ask: pages of this server, and a person who types or follows its address.
//!
//! A page from elsewhere can make a browser ask this machine. It is told by the name it used (`Host`, which a name
//! that was bent to 127.0.0.1 does not change), by where it comes from (`Origin`), and by what browsers say of
//! requests without an origin (`Sec-Fetch-Site`).

use hyper::Uri;
use hyper::header::{self, HeaderMap, HeaderName};

/// The names under which the server is known.
#[derive(Clone, Debug)]
pub(super) struct Guard {
    hosts: Vec<String>,
}

impl Guard {
    pub(super) fn new(port: u16) -> Self {
        let names = ["127.0.0.1", "localhost"];
        let mut hosts: Vec<String> = names.map(|name| format!("{name}:{port}")).into();
        if port == 80 {
            // Browsers leave out the ordinary port.
            hosts.extend(names.map(str::to_owned));
        }
        Self { hosts }
    }

    /// Fails with the reason where a request may come from elsewhere.
    pub(super) fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), &'static str> {
        const HOST: &str = "the request names another host; use the address that was printed";
        let host = single(headers, &header::HOST).map_err(|()| HOST)?;
        if !host.is_some_and(|host| self.knows(host)) {
            return Err(HOST);
        }
        // Where the address itself names a host, that one counts.
        if uri
            .authority()
            .is_some_and(|named| !self.knows(named.as_str()))
        {
            return Err(HOST);
        }
        const ORIGIN: &str = "the request comes from another page";
        let origin = single(headers, &header::ORIGIN).map_err(|()| ORIGIN)?;
        let is_own = |origin: &str| {
            let host = origin.strip_prefix("http://");
            host.is_some_and(|host| self.knows(host))
        };
        if !origin.is_none_or(is_own) {
            return Err(ORIGIN);
        }
        let said = |name: &'static str| single(headers, &HeaderName::from_static(name));
        let site = said("sec-fetch-site").map_err(|()| ORIGIN)?;
        // A link may be followed to here; what it loads is the page, which the page it stood on cannot read.
        let is_link = said("sec-fetch-dest") == Ok(Some("document"));
        if matches!(site, Some("cross-site" | "same-site")) && !is_link {
            return Err(ORIGIN);
        }
        Ok(())
    }

    fn knows(&self, host: &str) -> bool {
        self.hosts.iter().any(|own| own.eq_ignore_ascii_case(host))
    }
}

/// The value of a header that stands there at most once.
fn single<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, ()> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value.to_str().map(Some).map_err(drop),
        _ => Err(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_let_in(port: u16, uri: &str, headers: &[(&'static str, &'static str)]) -> bool {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, value.parse().unwrap());
        }
        Guard::new(port).check(&uri.parse().unwrap(), &map).is_ok()
    }

    #[test]
    fn only_its_own_pages_and_people_are_let_in() {
        let own = ("host", "127.0.0.1:81");
        for headers in [
            &[own][..],
            &[("host", "LOCALHOST:81")],
            &[own, ("origin", "http://127.0.0.1:81")],
            &[own, ("origin", "http://localhost:81")],
            &[own, ("sec-fetch-site", "same-origin")],
            &[own, ("sec-fetch-site", "none")],
            &[
                own,
                ("sec-fetch-site", "cross-site"),
                ("sec-fetch-dest", "document"),
            ],
        ] {
            assert!(is_let_in(81, "/", headers), "{headers:?}");
        }
        for headers in [
            &[][..],
            &[("host", "127.0.0.1")],
            &[("host", "127.0.0.1:82")],
            &[("host", "evil.example:81")],
            &[("host", "127.0.0.1.evil.example:81")],
            &[("host", "a@127.0.0.1:81")],
            &[own, own],
            &[own, ("origin", "null")],
            &[own, ("origin", "https://127.0.0.1:81")],
            &[own, ("origin", "http://evil.example")],
            &[own, ("origin", "http://127.0.0.1:82")],
            &[own, ("sec-fetch-site", "cross-site")],
            &[
                own,
                ("sec-fetch-site", "same-site"),
                ("sec-fetch-dest", "iframe"),
            ],
        ] {
            assert!(!is_let_in(81, "/", headers), "{headers:?}");
        }
        assert!(is_let_in(81, "http://127.0.0.1:81/", &[own]));
        assert!(!is_let_in(81, "http://evil.example/", &[own]));
        assert!(is_let_in(80, "/", &[("host", "localhost")]));
    }
}
