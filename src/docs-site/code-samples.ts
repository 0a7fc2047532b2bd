import samples from '../../generated/samples.json' with { type: 'json' };

/** Where the samples say that the service is; a public address takes its place. */
const sampleUrl = 'http://127.0.0.1:8080';

type Paths = Record<string, Record<string, unknown>>;

/**
 * The contract as the reference shows it: with samples of calls in each operation. Only there: they are a third of the document's length, and no
 * generator of clients reads them.
 */
export function withCodeSamples(contract: object, publicUrl: string | undefined): object {
  const { paths } = contract as { paths: Paths };
  return {
    ...contract,
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, item]) => [
        path,
        Object.fromEntries(
          Object.entries(item).map(([method, operation]) => [method, withSamples(operation, publicUrl)]),
        ),
      ]),
    ),
  };
}

/** Anything that is no operation, and one that has no samples, as it is. */
function withSamples(operation: unknown, publicUrl: string | undefined): unknown {
  const { operationId = '' } = operation as { operationId?: string };
  const own = Object.hasOwn(samples, operationId) ? samples[operationId as keyof typeof samples] : undefined;
  if (own === undefined) return operation;
  const at = (source: string) => (publicUrl === undefined ? source : source.replaceAll(sampleUrl, publicUrl));
  const codeSamples = own.map((sample) => ({ ...sample, source: at(sample.source) }));
  return { ...(operation as object), 'x-codeSamples': codeSamples };
}
