// Whether the process of this container serves requests. A database that does not respond is no reason to restart it.
const url = `http://127.0.0.1:${process.env.PORT || 8080}/healthz`;
const isHealthy = await fetch(url, { signal: AbortSignal.timeout(2_500) }).then(
  ({ ok }) => ok,
  () => false,
);
process.exitCode = isHealthy ? 0 : 1;
