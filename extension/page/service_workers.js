// The registrations of the page's origin: chrome.debugger offers no ServiceWorker domain.

export const serviceWorkers = async () => {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return { impossible: "it is not served over https or from localhost" };
  const worker = (one) => one && { url: one.scriptURL, state: one.state };
  let registrations;
  try {
    registrations = await serviceWorker.getRegistrations();
  } catch (error) {
    return { impossible: error.message }; // a blank or sandboxed document
  }
  return {
    controller: serviceWorker.controller?.scriptURL ?? null,
    registrations: registrations.map(({ scope, active, waiting, installing }) => ({
      scope,
      active: worker(active),
      waiting: worker(waiting),
      installing: worker(installing),
    })),
  };
};
