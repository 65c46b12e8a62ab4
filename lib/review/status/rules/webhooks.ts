import { type Look, type StatusFinding, statusFinding, timeText } from '../finding';
import { STATUS_FINDINGS } from '../findings';
import { isWhole, itemsOf, type ObservedWebhook } from '../observation';
import { certificatesIn, endOf, issuedChain, rootsOf } from '../x509';

/** Checks the webhooks of the mesh, and their CAs against the certificates of their servers. */
export function checkWebhooks(look: Look): readonly StatusFinding[] {
  const webhooks = itemsOf(look.seen.webhooks);
  if (webhooks === undefined) return [];
  const byName = new Map(webhooks.map((one) => [`${one.kind} ${one.name}`, one]));
  return look.intent.webhooks.flatMap((webhook) => {
    const found = byName.get(webhook);
    if (found !== undefined) return checkCa(webhook, found, look);
    return isWhole(look.seen.webhooks) ? [statusFinding(STATUS_FINDINGS.webhookMissing({ webhook }))] : [];
  });
}

function checkCa(webhook: string, { caFrom, caBundles }: ObservedWebhook, look: Look): readonly StatusFinding[] {
  if (caFrom === undefined) return [];
  if (caBundles.some((pem) => pem === '')) return [statusFinding(STATUS_FINDINGS.webhookCaMissing({ webhook }))];
  const { seen, now } = look;
  const cas = certificatesIn(caBundles[0] ?? '');
  const valid = cas.filter((ca) => endOf(ca) > now);
  if (valid.length === 0) {
    const end = Math.max(0, ...cas.map(endOf));
    return [statusFinding(STATUS_FINDINGS.webhookCaExpired({ webhook, end: timeText(end) }), end)];
  }
  const [namespace = '', name = ''] = caFrom.split('/');
  const certificate = itemsOf(seen.certificates)?.find((one) => one.namespace === namespace && one.name === name);
  const chain = certificate === undefined ? [] : issuedChain(certificate, itemsOf(seen.requests) ?? []);
  const isTrusted = chain.length === 0 || rootsOf(chain, valid).length > 0;
  return isTrusted ? [] : [statusFinding(STATUS_FINDINGS.webhookCaWrong({ webhook, certificate: caFrom }))];
}
