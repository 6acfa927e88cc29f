//! The server of the studio: a page and the files of the command line, to this machine's browser alone.
//!
//! It reads and never writes. What comes in passes [`guard`] first, then [`address`] makes names of it, and only
//! names that [`page`] or [`given`] know are answered.

mod address;
mod given;
mod guard;
mod headers;
mod page;
mod stop;

pub(crate) use given::Given;
pub(crate) use page::Page;

use crate::failure::Failure;
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{Method, StatusCode, header};
use axum::response::Response;
use guard::Guard;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;

/// Where the list of given files stands.
const LIST: &str = "given.json";

/// All that is answered with.
#[derive(Debug)]
struct Served {
    guard: Guard,
    page: Page,
    given: Given,
}

/// A place on the loopback that browsers can turn to.
#[derive(Debug)]
pub(crate) struct Server {
    listener: TcpListener,
    port: u16,
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
        Ok(Self { listener, port })
    }

    /// What to type into a browser.
    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
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
            page,
            given,
        });
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .build()
            .map_err(failed)?;
        let ended = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let router = Router::new().fallback(answer).with_state(served);
            tokio::select! {
                ended = axum::serve(listener, router) => ended,
                ended = stop::asked() => ended,
            }
        });
        // A file that is being read would be waited for.
        runtime.shutdown_background();
        ended.map_err(failed)
    }
}

/// What is found under an address.
#[derive(Debug)]
struct Found {
    bytes: Vec<u8>,
    media_type: &'static str,
    cache: &'static str,
}

async fn answer(State(served): State<Arc<Served>>, request: Request) -> Response {
    // Files are read where other requests need not wait for them.
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
        return refusal(StatusCode::FORBIDDEN, why);
    }
    if ![Method::GET, Method::HEAD].contains(request.method()) {
        let mut response = refusal(
            StatusCode::METHOD_NOT_ALLOWED,
            "only GET and HEAD are answered: nothing is written here",
        );
        headers::put(&mut response, header::ALLOW, "GET, HEAD");
        return response;
    }
    match address::names(request.uri().path()).and_then(|names| find(served, &names)) {
        Some(found) => {
            let mut response = Response::new(Body::from(found.bytes));
            headers::put(&mut response, header::CONTENT_TYPE, found.media_type);
            headers::put(&mut response, header::CACHE_CONTROL, found.cache);
            headers::protect(&mut response);
            response
        }
        None => refusal(StatusCode::NOT_FOUND, "there is nothing here"),
    }
}

fn find(served: &Served, names: &[String]) -> Option<Found> {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    match names.as_slice() {
        [LIST] => Some(Found {
            bytes: served.given.list()?.into_bytes(),
            media_type: headers::media_type(LIST),
            cache: headers::NOT_KEPT,
        }),
        ["given", number, name @ ..] => Some(Found {
            bytes: served.given.read(number.parse().ok()?, &name.join("/"))?,
            media_type: headers::media_type(name.last()?),
            cache: headers::NOT_KEPT,
        }),
        [] => page_file(&served.page, page::FIRST),
        names => page_file(&served.page, &names.join("/")),
    }
}

fn page_file(page: &Page, name: &str) -> Option<Found> {
    Some(Found {
        bytes: page.read(name)?,
        media_type: headers::media_type(name),
        cache: headers::ASKED_AGAIN,
    })
}

fn refusal(status: StatusCode, why: &str) -> Response {
    let mut response = Response::new(Body::from(format!("{why}\n")));
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
