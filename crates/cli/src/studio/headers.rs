//! What every answer says about itself.

use super::Response;
use hyper::header::{HeaderName, HeaderValue};

/// What the page may do. It may load, run and reach nothing but what stands here; the page says the same itself,
/// for hosts that send no headers.
pub(super) const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
    worker-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
    connect-src 'self' blob: data:; font-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// For a person's own files: no copy stays in the browser.
pub(super) const NOT_KEPT: &str = "no-store";

/// For the page, which another build may change under the same address.
pub(super) const ASKED_AGAIN: &str = "no-cache";

const PROTECTION: [(&str, &str); 6] = [
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-embedder-policy", "require-corp"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// Puts what protects into an answer.
pub(super) fn protect(response: &mut Response) {
    for (name, value) in PROTECTION {
        put(response, HeaderName::from_static(name), value);
    }
}

/// Puts one header into an answer.
pub(super) fn put(response: &mut Response, name: HeaderName, value: &'static str) {
    let value = HeaderValue::from_static(value);
    response.headers_mut().insert(name, value);
}

/// What a file is, by its name. Browsers run scripts and WebAssembly only under their right type.
pub(super) fn media_type(name: &str) -> &'static str {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    match extension.to_ascii_lowercase().as_str() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "glb" | "vrm" | "vrma" => "model/gltf-binary",
        "gltf" => "model/gltf+json",
        "toml" => "application/toml",
        "txt" | "md" | "bvh" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
