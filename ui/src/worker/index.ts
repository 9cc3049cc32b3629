// The worker that all tabs of a browser share.
