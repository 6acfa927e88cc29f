//! The server of the studio: a page and the files of the command line, to this machine's browser alone.
//!
//! It reads and never writes. A request passes [`guard`] first, then it must hold the [`token`]; [`address`] makes names of
//! the rest of its path, and only names that [`page`] or [`given`] know are answered. [`connections`] bounds what clients
//! may take of memory and time.

mod address;
mod connections;
mod content;
mod given;
mod guard;
mod headers;
mod page;
mod stop;
mod token;

pub(crate) use given::Given;
pub(crate) use page::Page;

use crate::failure::Failure;
use connections::Limits;
use content::Content;
use guard::Guard;
use hyper::body::Incoming;
use hyper::{Method, StatusCode, header};
use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;
use token::Token;

/// Where the list of given files stands.
const LIST: &str = "given.json";

/// Threads that open files, so that other requests need not wait for a slow disk.
const READERS: usize = 4;

type Request = hyper::Request<Incoming>;
type Response = hyper::Response<Content>;

/// All that is answered with.
#[derive(Debug)]
struct Served {
    guard: Guard,
    token: Token,
    page: Page,
    given: Given,
}

/// A place on the loopback that browsers can turn to.
#[derive(Debug)]
pub(crate) struct Server {
    listener: TcpListener,
    port: u16,
    token: Token,
}

impl Server {
    /// Takes a port of 127.0.0.1; 0 is any free one. Fails where it is taken or not allowed.
    pub(crate) fn bind(port: u16) -> Result<Self, Failure> {
        let cannot = |error: std::io::Error| {
            Failure::new(
                format_args!("port {port} of 127.0.0.1 cannot be used: {error}"),
                "choose another with --port N, or leave it out for a free one",
            )
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(cannot)?;
        let port = listener.local_addr().map_err(cannot)?.port();
        listener.set_nonblocking(true).map_err(cannot)?;
        let token = Token::new().map_err(|error| {
            Failure::new(
                format_args!("the system gives no random numbers for a secret address: {error}"),
                "try again",
            )
        })?;
        Ok(Self {
            listener,
            port,
            token,
        })
    }

    /// What to type into a browser: whoever knows it may read the given files.
    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token.as_str())
    }

    /// Answers until the user ends it.
    pub(crate) fn run(self, page: Page, given: Given) -> Result<(), Failure> {
        let failed = |error: std::io::Error| {
            Failure::new(
                format_args!("the server stopped: {error}"),
                "start it again",
            )
        };
        let served = Arc::new(Served {
            guard: Guard::new(self.port),
            token: self.token,
            page,
            given,
        });
        let runtime = runtime().map_err(failed)?;
        let ended = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            tokio::select! {
                () = connections::serve(listener, served, Limits::default()) => Ok(()),
                ended = stop::asked() => ended,
            }
        });
        // A file that is being read would be waited for.
        runtime.shutdown_background();
        ended.map_err(failed)
    }
}

fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .max_blocking_threads(READERS)
        .build()
}

/// What is found under an address.
#[derive(Debug)]
struct Found {
    content: Content,
    media_type: &'static str,
    cache: &'static str,
}

async fn answer(served: Arc<Served>, request: Request) -> Response {
    let reply = tokio::task::spawn_blocking(move || reply(&served, &request));
    reply.await.unwrap_or_else(|_| {
        refusal(
            StatusCode::INTERNAL_SERVER_ERROR,
            "the answer could not be made",
        )
    })
}

fn reply(served: &Served, request: &Request) -> Response {
    if let Err(why) = served.guard.check(request.uri(), request.headers()) {
        return shown_out(why);
    }
    let Some(path) = served.token.strip(request.uri().path()) else {
        return shown_out(
            "the address lacks its secret part; use the whole address that was printed",
        );
    };
    if ![Method::GET, Method::HEAD].contains(request.method()) {
        let mut response = refusal(
            StatusCode::METHOD_NOT_ALLOWED,
            "only GET and HEAD are answered: nothing is written here",
        );
        headers::put(&mut response, header::ALLOW, "GET, HEAD");
        return response;
    }
    match address::names(path).and_then(|names| find(served, &names)) {
        Some(found) => {
            let length = found.content.length();
            let mut response = Response::new(found.content);
            headers::put(&mut response, header::CONTENT_TYPE, found.media_type);
            headers::put(&mut response, header::CACHE_CONTROL, found.cache);
            let headers = response.headers_mut();
            headers.insert(header::CONTENT_LENGTH, length.into());
            headers::protect(&mut response);
            response
        }
        None => refusal(StatusCode::NOT_FOUND, "there is nothing here"),
    }
}

/// The answer to a stranger, whose connection is not kept.
fn shown_out(why: &str) -> Response {
    let mut response = refusal(StatusCode::FORBIDDEN, why);
    headers::put(&mut response, header::CONNECTION, "close");
    response
}

fn find(served: &Served, names: &[String]) -> Option<Found> {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    match names.as_slice() {
        [LIST] => Some(Found {
            content: served.given.list()?.into(),
            media_type: headers::media_type(LIST),
            cache: headers::NOT_KEPT,
        }),
        ["given", number, name @ ..] => {
            let (file, length) = served.given.file(number.parse().ok()?, &name.join("/"))?;
            Some(Found {
                content: Content::of_file(file, length),
                media_type: headers::media_type(name.last()?),
                cache: headers::NOT_KEPT,
            })
        }
        [] => page_file(&served.page, page::FIRST),
        names => page_file(&served.page, &names.join("/")),
    }
}

fn page_file(page: &Page, name: &str) -> Option<Found> {
    Some(Found {
        content: page.read(name)?,
        media_type: headers::media_type(name),
        cache: headers::ASKED_AGAIN,
    })
}

fn refusal(status: StatusCode, why: &str) -> Response {
    let mut response = Response::new(format!("{why}\n").into());
    *response.status_mut() = status;
    headers::put(
        &mut response,
        header::CONTENT_TYPE,
        headers::media_type("why.txt"),
    );
    headers::put(&mut response, header::CACHE_CONTROL, headers::NOT_KEPT);
    headers::protect(&mut response);
    response
}
