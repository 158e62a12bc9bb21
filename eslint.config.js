import js from "@eslint/js";
import globals from "globals";

const ERRORS = "NewExpression[callee.name=/^(KaptureError|Failure|NotReady)$/]";
/** Of these there may be nothing that can be done, or nobody who reads it. */
const MAY_END_THERE = "TAB_DISCONNECTED|OUTCOME_UNKNOWN|EXECUTION_ERROR|INTERNAL|NEEDS_APPROVAL";
const WITH_STEP = `${ERRORS}[arguments.0.type="Literal"]:not([arguments.0.value=/^(${MAY_END_THERE})$/])`;
/** An error is data: what went wrong and the next step are two arguments, and each door words them. */
const TWO_FIELDS = [
  {
    selector: `${ERRORS} > Literal:nth-child(2)[value=/; /], ${ERRORS} > TemplateLiteral:nth-child(2) > TemplateElement[value.raw=/; /]`,
    message: "What went wrong and the next step are two arguments.",
  },
  {
    selector: `${WITH_STEP}[arguments.length<3], ${WITH_STEP}[arguments.2.value=""]`,
    message: "An error of this code says what can be done about it, or what was not done.",
  },
];

const BROWSER = { ...globals.browser, chrome: "readonly" };

export default [
  { ignores: [".venv/", ".pytest_tmp/", "build/", "dist/", "resources/", "extension/page.bundle.js", "tests/e2e/"] },
  js.configs.recommended,
  // Control characters are looked for on purpose, and a prototype is asked for what it is the prototype of.
  { rules: { "no-control-regex": "off", "no-prototype-builtins": "off" } },
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "array-callback-return": "error",
      eqeqeq: "error",
      "no-constructor-return": "error",
      "no-duplicate-imports": "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-new-func": "error",
      "no-self-compare": "error",
      "no-template-curly-in-string": "error",
      "no-throw-literal": "error",
      "no-unmodified-loop-condition": "error",
      "no-unreachable-loop": "error",
      "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_", ignoreRestSiblings: true }],
      "no-useless-rename": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
    },
  },
  {
    files: ["extension/**/*.js", "tests/extension/**/*.js"],
    rules: { "max-lines": ["error", 400], "max-lines-per-function": ["error", 50] },
  },
  {
    files: ["extension/**/*.js"],
    languageOptions: { globals: BROWSER },
    rules: { "no-restricted-syntax": ["error", ...TWO_FIELDS] },
  },
  { files: ["app/**/*.js"], languageOptions: { globals: BROWSER } },
  { files: ["*.js", "packaging/**/*.{js,mjs}"], languageOptions: { globals: globals.node } },
  { files: ["tests/extension/**/*.js"], languageOptions: { globals: { ...BROWSER, ...globals.node } } },
];
