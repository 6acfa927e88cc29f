//! The server of the studio over raw HTTP: what it gives, to whom, and that it ends.

use crate::common::{Scratch, data, rebone};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A page made here, with a file of every kind that a real one has.
fn page() -> Scratch {
    let scratch = Scratch::new();
    scratch.file("index.html", b"<!doctype html><title>page</title>");
    std::fs::create_dir(scratch.path("assets")).unwrap();
    for (name, content) in [
        ("assets/index-1a2b.js", "export {};"),
        ("assets/rebone_bg.wasm", "\0asm"),
        ("assets/style.css", "a{}"),
        ("assets/icon.svg", "<svg/>"),
        ("assets/font.woff2", "w"),
        ("assets/walk.bvh", "HIERARCHY"),
        (".secret", "secret"),
    ] {
        scratch.file(name, content.as_bytes());
    }
    scratch
}

/// A running server, ended with the test.
struct Server {
    child: Child,
    port: u16,
    /// The secret part of its address.
    token: String,
}

impl Server {
    /// On a free port, with the given page and files.
    fn start(page: &Scratch, files: &[&str]) -> Self {
        let folder = page.path(".");
        Self::run(&[&["--folder", &folder], files].concat())
    }

    fn run(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_rebone"))
            .args(["studio", "--port", "0", "--no-open"])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let out = child.stdout.take().unwrap();
        BufReader::new(out).read_line(&mut line).unwrap();
        Self::of(child, &line)
    }

    /// A program that printed this line.
    fn of(child: Child, line: &str) -> Self {
        let (port, token) = line
            .trim()
            .strip_prefix("http://127.0.0.1:")
            .and_then(|rest| rest.strip_suffix('/'))
            .and_then(|rest| rest.split_once('/'))
            .unwrap_or_else(|| panic!("no address: {line:?}"));
        let port = port.parse().unwrap();
        let token = token.to_owned();
        Self { child, port, token }
    }

    /// The answer to these bytes.
    fn send(&self, request: &str) -> Answer {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let patience = Some(Duration::from_secs(20));
        stream.set_read_timeout(patience).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        Answer::parse(&bytes)
    }

    /// The answer to a request below the printed address, with these lines beside the usual ones.
    fn ask(&self, method: &str, path: &str, more: &str) -> Answer {
        self.ask_at(method, &format!("/{}{path}", self.token), more)
    }

    /// The answer to a request for any path.
    fn ask_at(&self, method: &str, path: &str, more: &str) -> Answer {
        let host = format!("Host: 127.0.0.1:{}\r\n", self.port);
        self.send(&format!(
            "{method} {path} HTTP/1.1\r\n{host}Connection: close\r\n{more}\r\n"
        ))
    }

    fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, "")
    }

    /// True where the program ends by itself soon.
    fn ends(&mut self) -> Option<i32> {
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_secs(20) {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("the server does not end");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Answer {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Answer {
    fn parse(bytes: &[u8]) -> Self {
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
        let end = end.unwrap_or_else(|| panic!("no answer: {}", String::from_utf8_lossy(bytes)));
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let mut lines = head.lines();
        let status = lines.next().unwrap().split(' ').nth(1).unwrap();
        let headers = lines.map(|line| {
            let (name, value) = line.split_once(':').unwrap();
            (name.to_lowercase(), value.trim().to_owned())
        });
        Self {
            status: status.parse().unwrap(),
            headers: headers.collect(),
            body: bytes[end + 4..].to_vec(),
        }
    }

    fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(other, _)| other == name);
        let value = found.next().map(|(_, value)| value.as_str());
        assert!(found.next().is_none(), "{name} stands there twice");
        value
    }

    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

/// What every answer must say, whatever it holds.
fn is_protected(answer: &Answer, about: &str) {
    let policy = answer.header("content-security-policy").unwrap();
    let directives: Vec<&str> = policy.split("; ").collect();
    for directive in [
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "worker-src 'self'",
        "style-src 'self'",
        "connect-src 'self' blob: data:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ] {
        assert!(directives.contains(&directive), "{about}: {policy}");
    }
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-embedder-policy", "require-corp"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        assert_eq!(answer.header(name), Some(value), "{about}: {name}");
    }
    assert!(answer.header("content-type").is_some(), "{about}");
    assert!(answer.header("cache-control").is_some(), "{about}");
    assert_eq!(answer.header("access-control-allow-origin"), None);
}

/// The page, where its source is there, and the documentation say the same as the server.
#[test]
fn the_policy_is_the_same_everywhere() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = page();
    let answer = Server::start(&page, &[]).get("/");
    let policy = answer.header("content-security-policy").unwrap();
    let guide = std::fs::read_to_string(root.join("docs/studio.md")).unwrap();
    let row = format!("| `Content-Security-Policy` | `{policy}` |");
    assert!(guide.contains(&row), "{row}");
    let Ok(source) = std::fs::read_to_string(root.join("studio/index.html")) else {
        println!("SKIPPED: there is no source of the page");
        return;
    };
    // Browsers heed the last one only where it is a header.
    let own = policy.replace("; frame-ancestors 'none'", "");
    assert!(source.contains(&format!("content=\"{own}\"")), "{own}");
}

#[test]
fn the_page_is_given_under_its_right_types() {
    let page = page();
    let server = Server::start(&page, &[]);
    for (path, file, media_type) in [
        ("/", "index.html", "text/html; charset=utf-8"),
        ("/index.html", "index.html", "text/html; charset=utf-8"),
        ("/?lang=de", "index.html", "text/html; charset=utf-8"),
        (
            "/assets/index-1a2b.js",
            "assets/index-1a2b.js",
            "text/javascript; charset=utf-8",
        ),
        (
            "/assets/rebone_bg.wasm",
            "assets/rebone_bg.wasm",
            "application/wasm",
        ),
        (
            "/assets/style.css",
            "assets/style.css",
            "text/css; charset=utf-8",
        ),
        ("/assets/icon.svg", "assets/icon.svg", "image/svg+xml"),
        ("/assets/font.woff2", "assets/font.woff2", "font/woff2"),
        (
            "/assets/%77alk.bvh",
            "assets/walk.bvh",
            "text/plain; charset=utf-8",
        ),
    ] {
        let answer = server.get(path);
        assert_eq!(answer.status, 200, "{path}");
        assert_eq!(answer.header("content-type"), Some(media_type), "{path}");
        assert_eq!(answer.body, std::fs::read(page.path(file)).unwrap());
        is_protected(&answer, path);
        let head = server.ask("HEAD", path, "");
        assert_eq!(head.status, 200, "{path}");
        assert!(head.body.is_empty(), "{path}");
        let length = answer.body.len().to_string();
        assert_eq!(head.header("content-length"), Some(length.as_str()));
    }
    let missing = server.get("/given.json");
    assert_eq!(missing.status, 404, "nothing was given");
    is_protected(&missing, "404");
}

#[test]
fn given_files_are_listed_and_read_and_nothing_beside_them() {
    let (page, own) = (page(), Scratch::new());
    let walk = own.path("my walk #1.bvh");
    std::fs::copy(data("walk.bvh"), &walk).unwrap();
    own.file("private.bvh", b"HIERARCHY");
    let recipe = own.file("r.toml", b"");
    let gltf = own.path("hero.gltf");
    rebone(["convert", &data("walk.bvh"), &gltf]).done();
    let mut outside: Value = serde_json::from_slice(&std::fs::read(&gltf).unwrap()).unwrap();
    outside["buffers"][0]["uri"] = "hero%20data.bin".into();
    own.file("hero.gltf", outside.to_string().as_bytes());
    own.file("hero data.bin", b"bin");
    let target = data("chibi.vrm");
    let server = Server::start(&page, &[&walk, &recipe, &target, &gltf]);

    let answer = server.get("/given.json");
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    is_protected(&answer, "given.json");
    assert_eq!(
        answer.json(),
        serde_json::json!({"files": [
            {"name": "my walk #1.bvh", "url": "given/0/my%20walk%20%231.bvh", "role": "source"},
            {"name": "r.toml", "url": "given/1/r.toml", "role": "recipe"},
            {"name": "chibi.vrm", "url": "given/2/chibi.vrm", "role": "target"},
            {"name": "hero.gltf", "url": "given/3/hero.gltf", "role": "target",
             "beside": [{"name": "hero data.bin", "url": "given/3/hero%20data.bin"}]},
        ]})
    );
    for (number, path) in [&walk, &recipe, &target, &gltf].into_iter().enumerate() {
        let list = server.get("/given.json").json();
        let url = list["files"][number]["url"].as_str().unwrap().to_owned();
        let answer = server.get(&format!("/{url}"));
        assert_eq!(answer.status, 200, "{url}");
        assert!(answer.body == std::fs::read(path).unwrap(), "{url}");
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        is_protected(&answer, &url);
    }
    assert_eq!(server.get("/given/3/hero%20data.bin").body, b"bin");
    for path in [
        "/given",
        "/given/",
        "/given/0",
        "/given/0/",
        "/given/0/private.bvh",
        "/given/3/private.bvh",
        "/given/1/my%20walk%20%231.bvh",
        "/given/4/hero.gltf",
        "/given/-1/hero.gltf",
        "/given/99999999999999999999/hero.gltf",
        "/given/3/../3/private.bvh",
        "/given/3/%2e%2e/3/private.bvh",
    ] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
    // What a person saves while the page is open is what the page gets.
    std::fs::write(&recipe, "# new\n").unwrap();
    assert_eq!(server.get("/given/1/r.toml").body, b"# new\n");
    std::fs::remove_file(&recipe).unwrap();
    assert_eq!(server.get("/given/1/r.toml").status, 404);
}

#[test]
fn nothing_outside_the_page_is_reached() {
    let page = page();
    let above = format!("{}-outside.txt", page.path("").trim_end_matches('/'));
    std::fs::write(&above, "outside").unwrap();
    let file = std::path::Path::new(&above).file_name().unwrap();
    let file = file.to_str().unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&above, page.path("link.txt")).unwrap();
        std::os::unix::fs::symlink("/etc", page.path("etc")).unwrap();
    }
    let server = Server::start(&page, &[]);
    let mut paths: Vec<String> = [
        "/assets",
        "/assets/",
        "//",
        "/./index.html",
        "/.secret",
        "/%2esecret",
        "/assets/../index.html",
        "/link.txt",
        "/etc/hostname",
        "/assets%2findex-1a2b.js",
        "/assets%5cindex-1a2b.js",
        "/index.html%00",
        "/index.html%00.js",
        "/%ff",
        "/%",
    ]
    .map(str::to_owned)
    .into();
    for up in [
        "..",
        "%2e%2e",
        "%2E.",
        "..%2f..",
        "%2e%2e%2f",
        "..%5c",
        "..\\",
        "%252e%252e",
    ] {
        paths.push(format!("/{up}/{file}"));
        paths.push(format!("/assets/{up}/{up}/{file}"));
        paths.push(format!("/{up}/{up}/{up}/{up}/{up}/{up}/{up}/etc/hostname"));
    }
    for path in &paths {
        let answer = server.get(path);
        // What is no address at all is refused before it is looked at.
        assert!(
            [400, 404].contains(&answer.status),
            "{path}: {}",
            answer.status
        );
        let body = String::from_utf8_lossy(&answer.body);
        assert!(
            !body.contains("outside") && !body.contains("secret"),
            "{path}"
        );
    }
    std::fs::remove_file(above).unwrap();
}

#[test]
fn other_hosts_and_origins_are_refused() {
    let page = page();
    let walk = data("walk.bvh");
    let server = Server::start(&page, &[&walk]);
    let port = server.port;
    let raw = |lines: &str| {
        server.send(&format!(
            "GET /{}/given/0/walk.bvh HTTP/1.1\r\nConnection: close\r\n{lines}\r\n",
            server.token
        ))
    };
    for host in [
        "evil.example".to_owned(),
        format!("evil.example:{port}"),
        "127.0.0.1".to_owned(),
        "localhost".to_owned(),
        format!("127.0.0.1:{}", port ^ 1),
        format!("127.0.0.2:{port}"),
        format!("[::1]:{port}"),
        format!("localhost.evil.example:{port}"),
        String::new(),
    ] {
        let answer = raw(&format!("Host: {host}\r\n"));
        assert_eq!(answer.status, 403, "{host}");
        is_protected(&answer, &host);
        assert!(!answer.body.starts_with(b"HIERARCHY"));
    }
    // Without any, or with two.
    assert!([400, 403].contains(&raw("").status));
    let own = format!("Host: 127.0.0.1:{port}\r\n");
    assert!([400, 403].contains(&raw(&format!("{own}Host: evil.example\r\n")).status));
    for host in ["127.0.0.1", "localhost", "LocalHost"] {
        let answer = raw(&format!("Host: {host}:{port}\r\n"));
        assert_eq!(answer.status, 200, "{host}");
        assert!(answer.body.starts_with(b"HIERARCHY"));
    }
    for (line, status) in [
        (format!("Origin: http://127.0.0.1:{port}"), 200),
        (format!("Origin: http://localhost:{port}"), 200),
        (format!("Origin: https://127.0.0.1:{port}"), 403),
        ("Origin: http://evil.example".to_owned(), 403),
        (format!("Origin: http://127.0.0.1:{}", port ^ 1), 403),
        ("Origin: null".to_owned(), 403),
        ("Origin: ".to_owned(), 403),
        ("Sec-Fetch-Site: cross-site".to_owned(), 403),
        ("Sec-Fetch-Site: same-origin".to_owned(), 200),
        ("Sec-Fetch-Site: none".to_owned(), 200),
    ] {
        assert_eq!(raw(&format!("{own}{line}\r\n")).status, status, "{line}");
    }
    let absolute = format!(
        "GET http://evil.example/{}/ HTTP/1.1\r\nConnection: close\r\n{own}\r\n",
        server.token
    );
    assert_eq!(server.send(&absolute).status, 403);
}

#[test]
fn without_the_secret_part_of_the_address_nothing_is_told() {
    let page = page();
    let walk = data("walk.bvh");
    let server = Server::start(&page, &[&walk]);
    let own = server.token.as_str();
    assert!(own.len() >= 32, "{own}");
    let other = Server::start(&page, &[&walk]);
    assert_ne!(own, other.token);
    // The same letters in another order.
    let mut turned = own.to_owned();
    while turned == own {
        turned = format!("{}{}", &turned[1..], &turned[..1]);
    }
    let (shorter, upper) = (&own[1..], own.to_uppercase() + "A");
    let mut starts = vec![String::new()];
    for wrong in [&other.token, &turned, shorter, &upper, "", "0", "%00"] {
        starts.push(format!("/{wrong}"));
    }
    starts.push(format!("/assets/{own}"));
    starts.push(format!("/?/{own}"));
    for start in &starts {
        for file in [
            "/",
            "/index.html",
            "/given.json",
            "/given/0/walk.bvh",
            "/assets/index-1a2b.js",
            "/assets/rebone_bg.wasm",
            "/missing",
        ] {
            for method in ["GET", "HEAD", "POST"] {
                let path = format!("{start}{file}");
                let cookie = format!("Cookie: token={own}\r\nReferer: http://127.0.0.1/{own}/\r\n");
                let answer = server.ask_at(method, &path, &cookie);
                assert_eq!(answer.status, 403, "{method} {path}");
                is_protected(&answer, &path);
                let body = String::from_utf8_lossy(&answer.body);
                assert!(
                    body.is_empty() || body.contains("secret part"),
                    "{path}: {body}"
                );
                assert!(!body.contains(own), "{path}");
            }
        }
    }
    assert_eq!(
        server.get("/given/0/walk.bvh").body,
        std::fs::read(walk).unwrap()
    );
    assert_eq!(server.ask_at("GET", &format!("/{own}"), "").status, 403);
}

/// The most memory that a process has held so far, in bytes.
#[cfg(target_os = "linux")]
fn most_memory(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let kibibytes = line.unwrap().split_whitespace().nth(1).unwrap();
    kibibytes.parse::<u64>().unwrap() << 10
}

#[cfg(target_os = "linux")]
#[test]
fn unread_downloads_take_little_memory() {
    const LENGTH: u64 = 512 << 20;
    const DOWNLOADS: usize = 24;
    let (page, own) = (page(), Scratch::new());
    let large = own.file("large.bvh", b"HIERARCHY\nROOT Hips\n");
    let file = std::fs::File::options().append(true).open(&large).unwrap();
    file.set_len(LENGTH).unwrap();
    let server = Server::start(&page, &[&large]);
    let before = most_memory(server.child.id());
    let path = format!("/{}/given/0/large.bvh", server.token);
    let port = server.port;
    let request = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n");
    let mut unread: Vec<TcpStream> = (0..DOWNLOADS)
        .map(|_| {
            let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
            stream.write_all(request.as_bytes()).unwrap();
            stream
        })
        .collect();
    // Each has begun, and goes on for a while.
    for stream in &mut unread {
        let mut piece = vec![0; 4 << 20];
        stream.read_exact(&mut piece).unwrap();
        assert!(piece.starts_with(b"HTTP/1.1 200 OK"));
    }
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(server.get("/").status, 200, "others are answered");
    let more = most_memory(server.child.id()) - before;
    println!(
        "{DOWNLOADS} unread downloads of {} MiB: {} KiB more",
        LENGTH >> 20,
        more >> 10
    );
    assert!(more < 32 << 20, "{} MiB more", more >> 20);
}

#[cfg(target_os = "linux")]
#[test]
fn half_open_requests_take_few_connections() {
    const OPENED: usize = 100;
    let page = page();
    let server = Server::start(&page, &[]);
    let open_files = || {
        let folder = format!("/proc/{}/fd", server.child.id());
        std::fs::read_dir(folder).unwrap().count()
    };
    let before = open_files();
    let half: Vec<TcpStream> = (0..OPENED)
        .map(|_| {
            let mut stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
            stream.write_all(b"GET / HTTP/1.1\r\n").unwrap();
            stream
        })
        .collect();
    std::thread::sleep(Duration::from_millis(500));
    let more = open_files() - before;
    println!("{OPENED} half-open requests: {more} connections held");
    assert!((1..=40).contains(&more), "{more} connections are held");
    // Their end gives the place to whoever waits.
    drop(half);
    assert_eq!(server.get("/").status, 200);
}

#[test]
fn only_reading_is_answered() {
    let page = page();
    let server = Server::start(&page, &[]);
    let before = page.files();
    for method in [
        "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND",
    ] {
        for path in ["/", "/index.html", "/new.txt", "/given.json"] {
            let answer = server.ask(method, path, "Content-Length: 0\r\n");
            assert_eq!(answer.status, 405, "{method} {path}");
            assert_eq!(answer.header("allow"), Some("GET, HEAD"));
            is_protected(&answer, method);
        }
    }
    // A foreign page does not even learn that, although it has learnt the address.
    let foreign = server.ask(
        "POST",
        "/",
        "Origin: http://evil.example\r\nContent-Length: 0\r\n",
    );
    assert_eq!(foreign.status, 403);
    assert_eq!(page.files(), before);
}

#[test]
fn it_ends_with_whoever_started_it() {
    let page = page();
    let mut server = Server::start(&page, &[]);
    assert_eq!(server.get("/").status, 200);
    drop(server.child.stdin.take());
    assert_eq!(server.ends(), Some(0));
    assert!(TcpStream::connect(("127.0.0.1", server.port)).is_err());
}

#[cfg(unix)]
#[test]
fn ctrl_c_and_the_system_end_it() {
    let page = page();
    for signal in ["INT", "TERM"] {
        let mut server = Server::start(&page, &[]);
        // A browser that keeps its connection does not hold it up.
        let mut kept = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
        kept.write_all(b"GET / HTTP/1.1\r\n").unwrap();
        assert_eq!(server.get("/").status, 200);
        let process = server.child.id().to_string();
        let sent = Command::new("kill").args(["-s", signal, &process]).status();
        assert!(sent.unwrap().success());
        assert_eq!(server.ends(), Some(0), "{signal}");
    }
}

/// What other users see of the browser's start must not tell them the address.
#[cfg(target_os = "linux")]
#[test]
fn the_browser_learns_the_address_from_a_private_file() {
    use std::os::unix::fs::PermissionsExt;
    let (page, tools) = (page(), Scratch::new());
    let script = tools.file(
        "xdg-open",
        b"#!/bin/sh\nprintf '%s' \"$*\" > \"$0.part\" && mv \"$0.part\" \"$0.said\"\n",
    );
    std::fs::set_permissions(&script, PermissionsExt::from_mode(0o755)).unwrap();
    let path = format!("{}:/usr/bin:/bin", tools.path(""));
    let mut child = Command::new(env!("CARGO_BIN_EXE_rebone"))
        .args(["studio", "--folder", &page.path(".")])
        .env("PATH", path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut address = String::new();
    let out = child.stdout.take().unwrap();
    BufReader::new(out).read_line(&mut address).unwrap();
    let mut server = Server::of(child, &address);
    let begin = Instant::now();
    let said = loop {
        match std::fs::read_to_string(tools.path("xdg-open.said")) {
            Ok(said) => break said,
            Err(_) if begin.elapsed() < Duration::from_secs(20) => {
                std::thread::sleep(Duration::from_millis(20));
            }
            Err(error) => panic!("no browser was opened: {error}"),
        }
    };
    assert!(!said.contains(&server.token), "{said}");
    let mode = std::fs::metadata(&said).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "{said}");
    let text = std::fs::read_to_string(&said).unwrap();
    assert!(
        text.contains(&format!("url={}\"", address.trim())),
        "{text}"
    );
    drop(server.child.stdin.take());
    assert_eq!(server.ends(), Some(0));
    assert!(
        !std::path::Path::new(&said).exists(),
        "{said} is left behind"
    );
}

#[cfg(unix)]
#[test]
fn an_empty_input_does_not_end_it() {
    let page = page();
    let folder = page.path(".");
    let mut server = Command::new(env!("CARGO_BIN_EXE_rebone"))
        .args(["studio", "--no-open", "--folder", &folder])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(700));
    let ended = server.try_wait().unwrap();
    server.kill().unwrap();
    server.wait().unwrap();
    assert_eq!(ended, None);
}

#[test]
fn what_cannot_be_served_is_said_before() {
    let (page, empty) = (page(), Scratch::new());
    let folder = page.path(".");
    let server = Server::start(&page, &[]);
    let port = server.port.to_string();
    let missing = empty.path("missing.bvh");
    let text = empty.file("notes.txt", b"hello");
    for (arguments, word) in [
        (vec!["--folder", &folder, "--port", &port], "--port"),
        (vec!["--folder", &missing], "no such folder"),
        (vec!["--folder", &empty.path(".")], "index.html"),
        (vec!["--folder", &folder, &missing], "no such file"),
        (vec!["--folder", &folder, &text], "format"),
        (vec!["--folder", &folder, &folder], "folder"),
        (vec!["--folder", &folder, "--port", "70000"], "70000"),
    ] {
        let run = rebone([&["studio", "--no-open"], arguments.as_slice()].concat());
        assert_eq!(run.code, 2, "{arguments:?}");
        assert!(run.err.contains(word), "{arguments:?}: {}", run.err);
        assert_eq!(run.out, "", "{arguments:?}");
    }
}

/// With the page that was built before this program, or with words about how to get it.
#[test]
fn the_page_inside_is_served_or_its_lack_explained() {
    let built = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("dist");
    if !built.join("index.html").is_file() {
        let run = rebone(["studio", "--no-open"]);
        assert_eq!(run.code, 2);
        for word in ["cargo xtask studio", "--folder"] {
            assert!(run.err.contains(word), "{}", run.err);
        }
        return;
    }
    let server = Server::run(&[]);
    let answer = server.get("/");
    assert_eq!(answer.status, 200);
    let first = std::fs::read(built.join("index.html")).unwrap();
    assert!(answer.body == first, "the page was built after the program");
}
