/** The other half; those of page/ need a document of their own each. */
import { together } from "./together.js";

together("**/*.test.js", ["page/**", "tab/**", "basics/**"]);
