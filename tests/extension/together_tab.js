/** One half of the tests, so that two processes share them. */
import { together } from "./together.js";

together("{tab,basics}/*.test.js");
