import type { ObservedWebhook } from '../../live/certificates';
import { isWhole, itemsOf } from '../../live/observation';
import { type StatusFinding, type StatusInput, statusFinding, timeText } from '../finding';
import { STATUS_FINDINGS } from '../findings';
import { certificatesIn, endOf, issuedTo, rootsOf } from '../x509';

/** Checks the webhooks of the mesh, and their CAs against the certificates of their servers. */
export function checkWebhooks(input: StatusInput): readonly StatusFinding[] {
  const webhooks = itemsOf(input.seen.webhooks);
  if (webhooks === undefined) return [];
  const byName = new Map(webhooks.map((one) => [`${one.kind} ${one.name}`, one]));
  return input.intent.webhooks.flatMap((webhook) => {
    const found = byName.get(webhook);
    if (found !== undefined) return checkCa(webhook, found, input);
    return isWhole(input.seen.webhooks) ? [statusFinding(STATUS_FINDINGS.webhookMissing({ webhook }))] : [];
  });
}

function checkCa(
  webhook: string,
  { caFrom, caBundles }: ObservedWebhook,
  { seen, now }: StatusInput,
): readonly StatusFinding[] {
  if (caFrom === undefined) return [];
  if (caBundles.length === 0) return [statusFinding(STATUS_FINDINGS.webhookMissing({ webhook }))];
  if (caBundles.some((pem) => certificatesIn(pem).length === 0))
    return [statusFinding(STATUS_FINDINGS.webhookCaMissing({ webhook }))];
  const cas = certificatesIn(caBundles[0] ?? '');
  const valid = cas.filter((ca) => endOf(ca) > now);
  if (valid.length === 0) {
    const end = Math.max(...cas.map(endOf));
    return [statusFinding(STATUS_FINDINGS.webhookCaExpired({ webhook, end: timeText(end) }), end)];
  }
  const chain = issuedTo(caFrom, seen);
  const isTrusted = chain.length === 0 || rootsOf(chain, valid).length > 0;
  return isTrusted ? [] : [statusFinding(STATUS_FINDINGS.webhookCaWrong({ webhook, certificate: caFrom }))];
}
