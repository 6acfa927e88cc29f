//! When the server ends: Ctrl-C, a request of the system, or the end of the program that started it.

use std::io::Read;
use tokio::sync::oneshot;

/// Waits until the server is to end.
pub(super) async fn asked() -> std::io::Result<()> {
    tokio::select! {
        pressed = tokio::signal::ctrl_c() => pressed,
        ended = terminated() => ended,
        () = input_closed() => Ok(()),
    }
}

#[cfg(unix)]
async fn terminated() -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    signal(SignalKind::terminate())?.recv().await;
    Ok(())
}

#[cfg(not(unix))]
async fn terminated() -> std::io::Result<()> {
    std::future::pending().await
}

/// Waits for the end of standard input where that is a pipe: whoever holds its other end has gone, and would leave
/// a server behind. A terminal and the empty device say nothing of the kind, and are not read.
async fn input_closed() {
    if !input_is_pipe() {
        return std::future::pending().await;
    }
    let (closed, is_closed) = oneshot::channel();
    std::thread::spawn(move || {
        let mut unused = [0; 1024];
        let mut input = std::io::stdin().lock();
        loop {
            match input.read(&mut unused) {
                Ok(0) => break,
                Err(error) if error.kind() != std::io::ErrorKind::Interrupted => break,
                _ => {}
            }
        }
        // Without a receiver the server has ended already.
        let _ = closed.send(());
    });
    if is_closed.await.is_err() {
        std::future::pending::<()>().await;
    }
}

#[cfg(unix)]
fn input_is_pipe() -> bool {
    use std::os::fd::AsFd;
    use std::os::unix::fs::FileTypeExt;
    let input = std::io::stdin().as_fd().try_clone_to_owned();
    let about = input.and_then(|input| std::fs::File::from(input).metadata());
    about.is_ok_and(|about| about.file_type().is_fifo() || about.file_type().is_socket())
}

#[cfg(not(unix))]
fn input_is_pipe() -> bool {
    false
}
