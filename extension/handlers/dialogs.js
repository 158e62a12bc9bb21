async function handleDialog({ accept, promptText }, run) {
  const { session } = run;
  const closes = accept && session.dialog?.before?.closes;
  // Whoever is asked about the tab's end hears of it, not of a tab that was lost.
  if (closes) session.closing = true;
  const { type, message } = await session.dialogs.answer(run, { accept, promptText });
  if (closes) await session.over.promise;
  return { handled: type, accepted: accept, message: message.slice(0, 500), ...(closes && { closed: session.id }) };
}

export const handlers = { kapturemcp_handle_dialog: handleDialog };
