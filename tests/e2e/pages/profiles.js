window.injected = (window.injected ?? 0) + 1;
