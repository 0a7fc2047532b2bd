import samples from '../../generated/samples.json' with { type: 'json' };

/** The service address in the samples; replaced by a public address. */
const sampleUrl = 'http://127.0.0.1:8080';

type Paths = Record<string, Record<string, unknown>>;

/**
 * The contract for the reference: with code samples in each operation. Only there: they are a third of the document's
 * length, and no client generator reads them.
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

/** Returns values that are not operations, and operations without samples, unchanged. */
function withSamples(operation: unknown, publicUrl: string | undefined): unknown {
  const { operationId = '' } = operation as { operationId?: string };
  const own = Object.hasOwn(samples, operationId) ? samples[operationId as keyof typeof samples] : undefined;
  if (own === undefined) return operation;
  const at = (source: string) => (publicUrl === undefined ? source : source.replaceAll(sampleUrl, publicUrl));
  const codeSamples = own.map((sample) => ({ ...sample, source: at(sample.source) }));
  return { ...(operation as object), 'x-codeSamples': codeSamples };
}
