/** A question about the page, answered by the page's half. */
const asks = (question) => (params, run) => run.session.snapshots.numbered(run, "explore", question, params);

/** The snapshot's walker with other defaults. */
function getFilteredAriaTree({ roles, maxDepth, interactiveOnly }, run) {
  return run.session.snapshots.take(run, { maxDepth, ...(interactiveOnly && { interactiveOnly }), ...(roles?.length && { roles }) });
}

export const handlers = {
  kapturemcp_query_dom: asks("queryDom"),
  kapturemcp_get_visible_text: asks("getVisibleText"),
  kapturemcp_get_computed_styles: asks("getComputedStyles"),
  kapturemcp_check_visibility: asks("checkVisibility"),
  kapturemcp_get_attributes: asks("getAttributes"),
  kapturemcp_count_elements: asks("countElements"),
  kapturemcp_get_page_metadata: asks("getPageMetadata"),
  kapturemcp_get_filtered_aria_tree: getFilteredAriaTree,
  kapturemcp_find_by_text: asks("findByText"),
  kapturemcp_get_form_values: asks("getFormValues"),
  kapturemcp_check_element_state: asks("checkElementState"),
};
