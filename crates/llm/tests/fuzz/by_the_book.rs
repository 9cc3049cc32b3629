//! Reference decoder of events, for comparison.

/// Follows the standard literally over the whole text, with the decoder's two exceptions: the end of the stream ends a
/// line and an event, and an object may be on the line after an empty `data:`.
pub(crate) fn decode_by_the_book(bytes: &[u8]) -> Vec<(String, String)> {
    let text = String::from_utf8_lossy(bytes);
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(&text).replace("\r\n", "\n").replace('\r', "\n");
    let (mut events, mut name, mut data) = (Vec::new(), String::new(), None::<String>);
    for line in text.split('\n').chain([""]) {
        if line.is_empty() {
            events.extend(data.take().map(|data| (std::mem::take(&mut name), data)));
            name.clear();
            continue;
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => {
                data = Some(data.map_or_else(|| value.to_owned(), |data| format!("{data}\n{value}")));
            }
            "event" => value.clone_into(&mut name),
            _ if data.as_deref() == Some("") && line.trim_ascii_start().starts_with('{') => {
                data = Some(line.to_owned())
            }
            _ => {}
        }
    }
    events
}
