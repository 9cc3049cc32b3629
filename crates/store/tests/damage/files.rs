//! Tests of damaged files.

use std::fs;

use turnkit_core::StoreError;
use turnkit_store::OpenError;

use crate::calls::everything;
use crate::subject::Subject;

const PAGE: usize = 4096;

/// Opens the database and makes all calls. Reports whether damage was detected, when the database was opened or by a
/// call.
async fn detects_damage(subject: &Subject, what: &str) -> bool {
    match subject.open() {
        Ok(store) => {
            let answers = everything(&store).await;
            for (call, error) in &answers {
                assert!(!matches!(error, Some(StoreError::Unavailable(_))), "{what}: {call}: {error:?}");
            }
            answers.iter().any(|(_, error)| matches!(error, Some(StoreError::Corrupt(_))))
        }
        Err(OpenError::Store(StoreError::Corrupt(_))) => true,
        Err(error) => panic!("{what}: {error:?}"),
    }
}

#[tokio::test]
async fn a_page_of_zeros_is_reported_to_its_reader() {
    let whole = Subject::new().await;
    let content = fs::read(whole.path()).unwrap();
    let (mut detected, pages) = (0, content.len() / PAGE);
    for page in 0..pages {
        let (subject, mut damaged) = (whole.copy(), content.clone());
        damaged[page * PAGE..(page + 1) * PAGE].fill(0);
        fs::write(subject.path(), damaged).unwrap();
        detected += usize::from(detects_damage(&subject, &format!("page {page} is zero")).await);
    }
    // A damaged page of an unused index goes unnoticed.
    assert!(detected * 2 > pages, "only {detected} of {pages} pages were missed");
}

#[tokio::test]
async fn a_truncated_file_is_reported() {
    let whole = Subject::new().await;
    let content = fs::read(whole.path()).unwrap();
    let pages = (1..content.len() / PAGE).map(|page| page * PAGE);
    for length in pages.chain([100, PAGE + 100]) {
        let subject = whole.copy();
        fs::write(subject.path(), &content[..length]).unwrap();
        assert!(detects_damage(&subject, &format!("cut off after {length} bytes")).await, "{length}");
    }
}
