// Questions about the page's elements: what is there, how it looks, what it holds. Nothing is changed.

import {
  checkElementState,
  checkVisibility,
  countElements,
  getAttributes,
  getComputedStyles,
  queryDom,
} from "./element_questions.js";
import { getFormValues } from "./fields/form_values.js";
import { remembering } from "./memo.js";
import { getPageMetadata } from "./page_metadata.js";
import { likeRef } from "./refs/ref_candidates.js";
import { keepPlaces, nextRef, startRefs } from "./refs/refs.js";
import { standIn } from "./stand_ins.js";
import { findByText, getVisibleText } from "./text_questions.js";

/**
 * Answer a question of `QUESTIONS`; refs continue the tab's numbering.
 * @param {{selector?: string}} target which may lead into a frame of another origin
 * @returns {{answer: any, doors: object[], nextRef: number}} `doors` lead into frames of another origin that have a part in the answer
 */
export const explore = (target, question, params, numbers) => {
  startRefs(numbers);
  const told = ask(target, question, params);
  return { ...told, nextRef };
};

/** The same for a question whose answer has no refs. */
export const ask = (target, question, params) => {
  const into = [];
  const answer = remembering(() => {
    const found = QUESTIONS[question]({ ...params, ...target }, into);
    keepPlaces(false);
    return found;
  });
  return { answer, doors: into };
};

const QUESTIONS = {
  queryDom,
  countElements,
  checkVisibility,
  checkElementState,
  getComputedStyles,
  getAttributes,
  getPageMetadata,
  getFormValues,
  findByText,
  getVisibleText,
  likeRef,
  standIn,
};
