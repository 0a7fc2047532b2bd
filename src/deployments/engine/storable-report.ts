import { limits } from '../../../generated/protocol.js';
import { cutBytes } from '../../kernel/cut-bytes.ts';
import type { OrderReport, Progress } from './order-port.ts';

const maxReasonCharacters = 64;

/** The report as Postgres can store it, within the promised sizes. */
export function storable(sent: OrderReport): OrderReport {
  const { orderId, status, digest } = sent;
  const [reason, message] = [said(sent.reason), said(sent.message)];
  return {
    orderId,
    status,
    digest: digest?.toLowerCase(),
    reason: reason === undefined ? undefined : Array.from(harmless(reason)).slice(0, maxReasonCharacters).join(''),
    message: message === undefined ? undefined : cutBytes(harmless(message), limits.maxReportMessageBytes),
    progress: sent.progress && storableProgress(sent.progress),
  };
}

function storableProgress({ percent, text: sent, waitingOn }: Progress): Progress {
  const [text, holder, reason] = [said(sent), said(waitingOn?.holder), said(waitingOn?.reason)];
  return {
    percent,
    text: text && harmless(text),
    ...(holder && { waitingOn: { holder: harmless(holder), reason: harmless(reason ?? '') } }),
  };
}

/** Undefined for a text without visible characters. */
const said = (text: string | undefined): string | undefined =>
  text !== undefined && /[^\s\p{Cc}\p{Cf}]/u.test(text) ? text : undefined;

/** Postgres accepts neither NUL nor half a surrogate pair. */
const harmless = (text: string): string => text.replace(/[\0\ud800-\udfff]/gu, '\ufffd');
