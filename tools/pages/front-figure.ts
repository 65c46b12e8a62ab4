import { arrow, box, room, type Scheme, svg, text } from './figures';

const WORDS = {
  title: 'From a program to a mesh, and how the operator rotates its trust anchor',
  desc: 'main.ts is synthesized into plain files, which are reviewed and merged in Git. Argo CD applies them to each cluster. There, the operator rotates the trust anchor: pods receive the new anchor, a bridge lets proxies with either anchor accept each other, the identity issuer is signed by the new anchor, and the old anchor is deleted when no pod relies on it. The rotation restarts no pod.',
} as const;

/** The bars of a rotation: the time during which each anchor and the bridge are in use. */
const BARS = [
  { label: 'old anchor', kind: 'used', from: 225, to: 650 },
  { label: 'bridge: new, certified by old', kind: 'rest', from: 365, to: 650 },
  { label: 'new anchor', kind: 'leaf', from: 290, to: 870 },
] as const;

const PHASES = [
  ['announced', 290],
  ['bridged', 365],
  ['signing', 440],
  ['pods adopt it as they restart', 510],
  ['retired', 650],
] as const;

/** The figure of the README. */
export function frontFigure(scheme: Scheme): string {
  return svg(
    [900, 300],
    WORDS,
    [
      ...box([10, 30], 'main.ts', 'constructs, typed and checked', 190),
      arrow('M200 52H250'),
      text(205, 44, 'synth', 'small'),
      ...box([252, 30], 'dist/', 'plain files, one per object', 180),
      arrow('M432 52H482'),
      text(438, 44, 'merge', 'small'),
      ...box([484, 30], 'Argo CD', 'an Application per namespace', 190),
      arrow('M674 52H706'),
      ...room([708, 10], [182, 84], 'cluster'),
      text(720, 52, 'cert-manager, Linkerd,', 'small'),
      text(720, 68, 'Viz, policy, alerts,', 'small'),
      text(720, 84, 'the operator', 'small'),
      ...room([10, 120], [880, 172], 'The operator rotates the trust anchor, usually without restarting a pod'),
      ...PHASES.flatMap(([phase, at], index) => [
        `<path class="axis" d="M${at} 146V${index % 2 === 0 ? 262 : 280}"/>`,
        text(at + 4, index % 2 === 0 ? 262 : 280, phase, 'small'),
      ]),
      ...BARS.flatMap(({ label, kind, from, to }, index) => [
        `<rect class="${kind}" x="${from}" y="${152 + index * 32}" width="${to - from}" height="16" rx="3"/>`,
        text(22, 164 + index * 32, label),
      ]),
    ],
    scheme,
  );
}
