"""The extension's door: who may enter, the links of tabs and browsers, and the executor behind them."""
