// A dedicated worker that fetches what it is told to.
self.onmessage = async ({ data }) => {
  const said = await fetch(data).then((answer) => `answered ${answer.status}`, (error) => `failed ${error.name}`);
  self.postMessage(said);
};
