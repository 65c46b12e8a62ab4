import { App, Chart } from 'cdk8s';
import { counted } from '#base/counted';
import { HOUR, inUnits, SECOND, TIME_UNITS } from '#base/time-units';
import { type DurationLike, milliseconds } from '#kubernetes/options/duration-like';
import { CertManager, CertManagerPKI } from '#lib';
import { isOwnAnchor } from '#lib/constructs/pki/trust-anchor';
import type { Validity } from '#lib/constructs/pki/validity';
import { table } from './blocks';

/** The defaults of a mesh's certificates, in hours. */
export interface Windows {
  readonly trustAnchor: Window;
  readonly identityIssuer: Window;
  readonly webhookIssuer: Window;
  readonly webhooks: Window;
  /** The lifetime of proxies' certificates, to which `skew` is added at each end. */
  readonly leaf: number;
  readonly skew: number;
}

interface Window {
  readonly life: number;
  readonly renewed: number;
}

/** Reads the defaults from the construct CertManagerPKI. */
export function defaultWindows(): Windows {
  const chart = new Chart(new App(), 'home');
  const pki = new CertManagerPKI(chart, 'pki', { certManager: new CertManager(chart, 'cert-manager') });
  const { trustAnchor } = pki;
  if (!isOwnAnchor(trustAnchor)) throw new Error('the library does not create the default anchor');
  return {
    trustAnchor: windowOf(trustAnchor),
    identityIssuer: windowOf(pki.identityIssuer),
    webhookIssuer: windowOf(pki.webhookIssuer),
    webhooks: windowOf(pki.webhooks),
    leaf: hours(pki.issuanceLifetime),
    skew: hours(pki.clockSkewAllowance),
  };
}

function windowOf({ duration, renewBefore }: Validity): Window {
  return { life: hours(duration), renewed: hours(duration) - hours(renewBefore) };
}

function hours(duration: DurationLike): number {
  return milliseconds(duration) / HOUR;
}

/** A duration in words: in years or days if it is a whole number of them, otherwise in hours and smaller units. */
export function timeText(length: number): string {
  const days = length / 24;
  if (days >= 365 && days % 365 === 0) return counted(days / 365, 'year');
  if (length >= 72 && Number.isInteger(days)) return counted(days, 'day');
  const parts = inUnits(Math.round(length * 3600) * SECOND, TIME_UNITS.slice(2));
  return parts.map((part) => part.join(' ')).join(' ') || '0 h';
}

/** The table of windows: when each certificate is renewed, and how late the renewal may be. */
export function windowsTable(windows: Windows): string {
  const { trustAnchor, identityIssuer, webhookIssuer, webhooks, leaf, skew } = windows;
  const row = (name: string, window: Window, signs: number) => [
    name,
    timeText(window.life),
    timeText(window.renewed),
    timeText(window.life - window.renewed - signs),
  ];
  return table(
    ['certificate', 'valid for', 'replaced at the age of', 'tolerated delay'],
    [
      row('trust anchor', trustAnchor, identityIssuer.life),
      row('identity issuer', identityIssuer, leaf + skew),
      ['certificate of a proxy', `${timeText(leaf)}, and ${timeText(skew)} at each end`, 'by the proxy itself', '—'],
      row('CA of the webhooks', webhookIssuer, webhooks.life),
      row('certificate of a webhook', webhooks, 0),
    ],
  );
}
