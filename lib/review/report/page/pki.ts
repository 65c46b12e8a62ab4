import { HOUR } from '#base/time-units';
import type { CertificateFacts, MeshFacts, PkiFacts } from '../model';
import type { Conditions } from '../simulate/conditions';
import { periodOf, reachOf } from '../simulate/routine';
import { type Html, html } from './html';
import { span, window } from './time';

/** Renders the certificates by their signers, with their windows and the resulting slack. */
export function pkiSection({ pki, schedules }: MeshFacts, conditions: Conditions): Html {
  const rows = pki.certificates.flatMap((certificate) => {
    const row = rowOf(certificate, pki, { schedules, conditions });
    return certificate.role === 'identity-issuer' ? [row, leafRow(pki, certificate, conditions)] : [row];
  });
  return html`<section aria-labelledby="pki"><h2 id="pki">Certificates</h2>
<p class="lead">${ROTATION[pki.rotation]} cert-manager replaces each certificate <em>renew before</em> it expires. cert-manager may be down for this time, less the lifetime of the certificates that the certificate signs.</p>
${rows.length === 0 ? html`<p>This output contains no certificates.</p>` : html`<div class="scroll" role="region" aria-labelledby="pki" tabindex="0"><table class="pki stacked"><thead><tr><th scope="col">Certificate</th><th scope="col">Window</th>${LABELS.map((label) => html`<th scope="col">${label}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`}
</section>`;
}

/** Heads of the columns. On narrow screens, each cell repeats its head. */
const LABELS = ['Valid', 'Renew before', 'Lifetime of signed certificates', 'cert-manager may be down'] as const;
const [VALID, RENEW, SIGNS, AWAY] = LABELS;

const ROTATION: Readonly<Record<PkiFacts['rotation'], string>> = {
  operator: 'The operator rotates the trust anchor.',
  manual: 'You rotate the trust anchor by hand.',
  'automatic-unsafe': 'cert-manager renews the trust anchor with a new key, and does not wait for the mesh.',
  none: 'The output does not issue the trust anchor.',
};

const ROLES: Readonly<Record<CertificateFacts['role'], string>> = {
  anchor: 'trust anchor',
  'identity-issuer': 'signs proxies\u2019 certificates',
  'webhook-ca': 'CA of webhooks',
  serving: 'webhook',
  other: '',
};

interface RowContext {
  readonly schedules: MeshFacts['schedules'];
  readonly conditions: Conditions;
}

function rowOf(certificate: CertificateFacts, pki: PkiFacts, { schedules, conditions }: RowContext): Html {
  const { id, role, duration, renewBefore, key, renewsItself } = certificate;
  const reach = reachOf(certificate, pki);
  const period = periodOf(certificate, schedules);
  const isAnchor = role === 'anchor';
  const spare = duration - (isAnchor ? duration - renewBefore : period) - reach;
  const isShort = !isAnchor && conditions.outageHours * HOUR > spare;
  const renewal =
    period < duration - renewBefore
      ? html`<small>by a job every ${span(period)}</small>`
      : !renewsItself && html`<small>not by cert-manager</small>`;
  const verdict = isAnchor
    ? html`<td class="spare" data-label="${AWAY}">${window(renewBefore - reach)}<small>for its rotation</small></td>`
    : html`<td class="spare${isShort ? ' short' : ''}" data-label="${AWAY}">${span(spare)}${isShort && html`<small>shorter than the outage</small>`}</td>`;
  return html`<tr><th scope="row" class="depth-${Math.min(3, depthOf(certificate, pki))}"><span class="name">${nameOf(id)}</span><small>${id.slice(0, id.indexOf('/'))}${ROLES[role] !== '' && html`, ${ROLES[role]}`}, ${key}</small></th>
<td class="window">${windowBar({ duration, period: isAnchor ? duration - renewBefore : period, reach })}</td><td data-label="${VALID}">${window(duration)}</td><td data-label="${RENEW}">${window(renewBefore)}${renewal}</td><td data-label="${SIGNS}">${reach === 0 ? '\u2013' : window(reach)}</td>${verdict}</tr>`;
}

function leafRow({ issuanceLifetime, clockSkewAllowance }: PkiFacts, issuer: CertificateFacts, _: Conditions): Html {
  return html`<tr><th scope="row" class="depth-2"><span class="name">each proxy</span><small>signed by ${nameOf(issuer.id)}, renewed by the proxy</small></th>
<td class="window">${windowBar({ duration: issuanceLifetime, period: issuanceLifetime * 0.7, reach: 0 })}</td><td data-label="${VALID}">${window(issuanceLifetime)}</td><td data-label="${RENEW}">30 %</td><td data-label="${SIGNS}">\u2013</td><td class="spare" data-label="${AWAY}">\u2013<small>clock skew up to ${span(clockSkewAllowance)}</small></td></tr>`;
}

function nameOf(id: string): string {
  return id.slice(id.indexOf('/') + 1);
}

function depthOf({ signedBy }: CertificateFacts, pki: PkiFacts): number {
  let depth = 0;
  for (let id = signedBy; id !== undefined && depth < 4; depth++) {
    id = pki.certificates.find((one) => one.id === id)?.signedBy;
  }
  return depth;
}

function windowBar({ duration, period, reach }: { duration: number; period: number; reach: number }): Html {
  const width = 132;
  const at = (time: number) =>
    Math.round((Math.min(duration, Math.max(0, time)) / Math.max(1, duration)) * width * 10) / 10;
  const [renewed, needed] = [at(period), at(duration - reach)];
  const spare = Math.max(0, needed - renewed);
  return html`<svg viewBox="0 0 ${width} 12" width="${width}" height="12" role="img" aria-label="in use for ${span(period)} of ${span(duration)}"><rect class="bar routine" x="0" y="1" width="${renewed}" height="10"/><rect class="bar slack" x="${renewed}" y="1" width="${spare}" height="10"/><rect class="bar step" x="${Math.max(renewed, needed)}" y="1" width="${Math.max(0, width - Math.max(renewed, needed))}" height="10"/></svg>`;
}
