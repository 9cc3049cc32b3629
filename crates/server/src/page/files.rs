//! The files of the page. `node build.mjs` in `ui/` writes them; `ui/README.md` describes how.

use super::file::PageFile;

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const IMAGE: &str = "image/svg+xml";
const TEXT: &str = "text/plain; charset=utf-8";

/// The list of the sources from which the page was built, with their hashes. It is not offered to clients.
pub(super) const BUILD: &[u8] = include_bytes!("../../page/BUILD.json");

/// All files that the server offers.
pub(super) static FILES: [PageFile; 16] = [
    PageFile::new("/index.html", HTML, include_bytes!("../../page/index.html")),
    PageFile::new("/theme.js", SCRIPT, include_bytes!("../../page/theme.js")),
    PageFile::new("/app.js", SCRIPT, include_bytes!("../../page/app.js")),
    PageFile::new("/vendor.js", SCRIPT, include_bytes!("../../page/vendor.js")),
    PageFile::new("/worker.js", SCRIPT, include_bytes!("../../page/worker.js")),
    PageFile::new("/admin.js", SCRIPT, include_bytes!("../../page/admin.js")),
    PageFile::new("/cards.js", SCRIPT, include_bytes!("../../page/cards.js")),
    PageFile::new("/code.js", SCRIPT, include_bytes!("../../page/code.js")),
    PageFile::new("/de.js", SCRIPT, include_bytes!("../../page/de.js")),
    PageFile::new("/math.js", SCRIPT, include_bytes!("../../page/math.js")),
    PageFile::new("/search.js", SCRIPT, include_bytes!("../../page/search.js")),
    PageFile::new("/more.js", SCRIPT, include_bytes!("../../page/more.js")),
    PageFile::new("/app.css", STYLE, include_bytes!("../../page/app.css")),
    PageFile::new("/admin.css", STYLE, include_bytes!("../../page/admin.css")),
    PageFile::new("/icon.svg", IMAGE, include_bytes!("../../page/icon.svg")),
    PageFile::new("/LICENSES.txt", TEXT, include_bytes!("../../page/LICENSES.txt")),
];
