/** Cut a tab off the network, or let it back: each worker has a network of its own. */
export async function setOffline(run, offline) {
  const { session } = run;
  session.offline = offline;
  // A worker that starts while offline waits until it is cut off as well: none gets a first request out.
  await run.send("Target.setAutoAttach", { autoAttach: true, flatten: true, waitForDebuggerOnStart: offline });
  const children = [...session.children.keys()].map((child) => cutOff(session, child).catch(() => {})); // one that has just ended
  await Promise.all([run.send("Network.emulateNetworkConditions", conditions(offline)), ...children]);
  await session.onOffline(offline);
}

/** A frame with a target of its own has workers of its own, too. */
async function cutOff(session, child) {
  await applyOffline(session, child);
  if (session.children.get(child)?.frameId)
    await session.cdp.send("Target.setAutoAttach", { autoAttach: true, flatten: true, waitForDebuggerOnStart: session.offline }, child);
}

/** Make a worker or frame with a target of its own as the tab is. */
export function applyOffline(session, childSession) {
  return session.cdp.send("Network.emulateNetworkConditions", conditions(session.offline), childSession);
}

function conditions(offline) {
  return { offline, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
}
