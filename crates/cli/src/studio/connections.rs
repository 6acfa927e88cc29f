//! Connections: how many there are, and how long a silent one is kept.
//!
//! Every process of the machine can connect, also one that means harm. So memory is bounded by [`Limits::connections`] times
//! what one of them holds (a few [pieces](super::content::PIECE)), and one that neither asks nor reads is closed.

use super::content::PIECE;
use super::{Served, answer};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{Sleep, sleep};

/// What clients may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Connections at a time; more wait until one is closed. Browsers open six per page and share them among tabs.
    pub(super) connections: usize,
    /// Time until the head of a request is complete, counted from the connection or from the answer before.
    pub(super) head: Duration,
    /// Time in which a client must take at least one byte of an answer.
    pub(super) stalled: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 32,
            head: Duration::from_secs(15),
            // A browser that is busy with a large file may stop reading for a while.
            stalled: Duration::from_secs(60),
        }
    }
}

/// Answers until the future is dropped.
pub(super) async fn serve(listener: TcpListener, served: Arc<Served>, limits: Limits) {
    let places = Arc::new(Semaphore::new(limits.connections));
    loop {
        // Nobody closes the semaphore.
        let Ok(place) = places.clone().acquire_owned().await else {
            return;
        };
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(_) => {
                // The client went away, or this process may open no more files for now.
                sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let served = served.clone();
        tokio::spawn(async move {
            let service = service_fn(|request| {
                let served = served.clone();
                async move { Ok::<_, Infallible>(answer(served, request).await) }
            });
            let stream = Impatient::new(stream, limits.stalled);
            // What goes wrong on one connection concerns its client alone.
            let _ = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(limits.head)
                .max_buf_size(PIECE)
                .serve_connection(TokioIo::new(stream), service)
                .await;
            drop(place);
        });
    }
}

/// A stream whose writes fail if the other side takes nothing for some time.
#[derive(Debug)]
struct Impatient {
    stream: TcpStream,
    patience: Duration,
    /// Runs while a write waits.
    deadline: Option<Pin<Box<Sleep>>>,
}

impl Impatient {
    fn new(stream: TcpStream, patience: Duration) -> Self {
        Self {
            stream,
            patience,
            deadline: None,
        }
    }

    /// The outcome of a write, or an error if writes have waited too long.
    fn judged<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<std::io::Result<T>>,
    ) -> Poll<std::io::Result<T>> {
        if written.is_ready() {
            self.deadline = None;
            return written;
        }
        let patience = self.patience;
        let deadline = self
            .deadline
            .get_or_insert_with(|| Box::pin(sleep(patience)));
        let over = deadline.as_mut().poll(context);
        over.map(|()| Err(std::io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Impatient {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl AsyncWrite for Impatient {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.judged(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[std::io::IoSlice<'_>],
    ) -> Poll<std::io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.judged(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Given, Guard, Page, Token};
    use super::*;
    use std::io::{ErrorKind, Read, Write};
    use std::time::Instant;

    /// A server on a thread of its own, which lives as long as the tests.
    struct Running {
        port: u16,
        head: String,
        /// Holds the page.
        _folder: tempfile::TempDir,
    }

    /// Bytes of the page's large file, far more than the buffers of the system take.
    const LARGE: u64 = 64 << 20;

    fn running(limits: Limits) -> Running {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("index.html"), "page").unwrap();
        let large = std::fs::File::create(folder.path().join("large.bin")).unwrap();
        large.set_len(LARGE).unwrap();
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let port = listener.local_addr().unwrap().port();
        let token = Token::new().unwrap();
        let head = format!("GET /{}/", token.as_str());
        let served = Served {
            guard: Guard::new(port),
            token,
            page: Page::open(Some(folder.path())).unwrap(),
            given: Given::default(),
        };
        std::thread::spawn(move || {
            let runtime = super::super::runtime().unwrap();
            runtime.block_on(async {
                let listener = TcpListener::from_std(listener).unwrap();
                serve(listener, Arc::new(served), limits).await;
            });
        });
        Running {
            port,
            head,
            _folder: folder,
        }
    }

    impl Running {
        fn connect(&self) -> std::net::TcpStream {
            let stream = std::net::TcpStream::connect(("127.0.0.1", self.port)).unwrap();
            let patience = Some(Duration::from_secs(20));
            stream.set_read_timeout(patience).unwrap();
            stream
        }

        /// A connection that asks for a file, and keeps itself open.
        fn asking(&self, name: &str) -> std::net::TcpStream {
            let mut stream = self.connect();
            let (head, port) = (&self.head, self.port);
            let request = format!("{head}{name} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n");
            stream.write_all(request.as_bytes()).unwrap();
            stream
        }
    }

    /// Bytes until the other side closes the connection.
    fn rest(mut stream: &std::net::TcpStream) -> usize {
        let (mut piece, mut count) = (vec![0; 1 << 20], 0);
        loop {
            match stream.read(&mut piece) {
                Ok(0) => return count,
                Ok(length) => count += length,
                Err(error) if error.kind() == ErrorKind::ConnectionReset => return count,
                Err(error) => panic!("the connection stays open: {error}"),
            }
        }
    }

    const SHORT: Duration = Duration::from_millis(400);
    const LONG: Duration = Duration::from_secs(600);

    #[test]
    fn heads_that_never_end_are_cut_off() {
        let server = running(Limits {
            head: SHORT,
            stalled: LONG,
            ..Limits::default()
        });
        for beginning in ["", "GET ", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"] {
            let begin = Instant::now();
            let mut stream = server.connect();
            stream.write_all(beginning.as_bytes()).unwrap();
            rest(&stream);
            assert!(
                begin.elapsed() >= SHORT / 2,
                "{beginning:?} is cut off at once"
            );
        }
        // One letter after another does not buy time.
        let begin = Instant::now();
        let mut stream = server.connect();
        for letter in "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n".bytes() {
            if stream.write_all(&[letter]).is_err() {
                break;
            }
            std::thread::sleep(SHORT / 8);
        }
        rest(&stream);
        assert!(begin.elapsed() < 8 * SHORT, "{:?}", begin.elapsed());
        // Nor does a connection that was used once and is kept for later.
        let kept = server.asking("index.html");
        assert!(rest(&kept) > 4);
    }

    #[test]
    fn downloads_that_nobody_reads_are_cut_off() {
        let server = running(Limits {
            head: LONG,
            stalled: SHORT,
            ..Limits::default()
        });
        let unread = server.asking("large.bin");
        let read = server.asking("large.bin");
        std::thread::sleep(SHORT / 2);
        let mut whole = vec![0; LARGE as usize];
        (&read).read_exact(&mut whole).unwrap();
        std::thread::sleep(4 * SHORT);
        assert!((rest(&unread) as u64) < LARGE, "it was kept open");
    }

    #[test]
    fn more_connections_than_allowed_wait() {
        let server = running(Limits {
            connections: 3,
            head: LONG,
            stalled: LONG,
        });
        let mut silent: Vec<_> = (0..3).map(|_| server.connect()).collect();
        std::thread::sleep(SHORT);
        let waiting = server.asking("index.html");
        let mut byte = [0];
        waiting.set_read_timeout(Some(SHORT)).unwrap();
        let early = (&waiting).read(&mut byte);
        assert!(early.is_err(), "a fourth was answered: {early:?}");
        silent.pop();
        waiting
            .set_read_timeout(Some(Duration::from_secs(20)))
            .unwrap();
        assert_eq!((&waiting).read(&mut byte).unwrap(), 1);
    }
}
