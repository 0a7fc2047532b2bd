import { PbfReader } from 'pbf';

/** The parts of a message of OTLP that tests read, in the form that OTLP has in JSON. */
export interface OtlpBody {
  resourceSpans: { resource: { attributes: OtlpAttribute[] }; scopeSpans: { spans: OtlpSpan[] }[] }[];
}

export interface OtlpAttribute {
  key: string;
  value: { stringValue?: string; intValue?: number | string; doubleValue?: number };
}

export interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: OtlpAttribute[];
  status: { code?: number; message?: string };
}

/** An ExportTraceServiceRequest, with the field numbers of opentelemetry/proto/trace/v1/trace.proto. */
export function readOtlp(bytes: Uint8Array): OtlpBody {
  const body: OtlpBody = { resourceSpans: [] };
  fieldsOf(new PbfReader(bytes), { 1: (reader) => body.resourceSpans.push(readResourceSpans(reader)) });
  return body;
}

type Fields = Record<number, (reader: PbfReader) => void>;

/** Reads a message to its end. Fields without an entry are skipped. */
function fieldsOf(reader: PbfReader, fields: Fields): void {
  reader.readFields((tag) => fields[tag]?.(reader), undefined);
}

function message(reader: PbfReader, fields: Fields): void {
  reader.readMessage((tag) => fields[tag]?.(reader), undefined);
}

function readResourceSpans(reader: PbfReader) {
  const read: OtlpBody['resourceSpans'][number] = { resource: { attributes: [] }, scopeSpans: [] };
  message(reader, {
    1: () => message(reader, { 1: () => read.resource.attributes.push(readAttribute(reader)) }),
    2: () => {
      const spans: OtlpSpan[] = [];
      message(reader, { 2: () => spans.push(readSpan(reader)) });
      read.scopeSpans.push({ spans });
    },
  });
  return read;
}

function readSpan(reader: PbfReader): OtlpSpan {
  const span: OtlpSpan = {
    traceId: '',
    spanId: '',
    name: '',
    kind: 0,
    startTimeUnixNano: '0',
    endTimeUnixNano: '0',
    attributes: [],
    status: {},
  };
  const hex = () => Buffer.from(reader.readBytes()).toString('hex');
  message(reader, {
    1: () => (span.traceId = hex()),
    2: () => (span.spanId = hex()),
    4: () => (span.parentSpanId = hex()),
    5: () => (span.name = reader.readString()),
    6: () => (span.kind = reader.readVarint()),
    7: () => (span.startTimeUnixNano = String(reader.readFixed64())),
    8: () => (span.endTimeUnixNano = String(reader.readFixed64())),
    9: () => span.attributes.push(readAttribute(reader)),
    15: () =>
      message(reader, {
        2: () => (span.status.message = reader.readString()),
        3: () => (span.status.code = reader.readVarint()),
      }),
  });
  return span;
}

function readAttribute(reader: PbfReader): OtlpAttribute {
  const attribute: OtlpAttribute = { key: '', value: {} };
  message(reader, {
    1: () => (attribute.key = reader.readString()),
    2: () =>
      message(reader, {
        1: () => (attribute.value.stringValue = reader.readString()),
        3: () => (attribute.value.intValue = reader.readVarint(true)),
        4: () => (attribute.value.doubleValue = reader.readDouble()),
      }),
  });
  return attribute;
}
