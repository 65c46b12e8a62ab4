import { ANCHOR, IDENTITY_ISSUER, SELF_SIGNED_ISSUER, TRUST_ANCHOR_LABEL, TRUST_ROOTS } from '#anchor/trust-anchor';
import { WEBHOOK_ISSUER } from '#lib/constructs/pki/webhook-certificate';
import { timeText, type Windows } from './windows';

const COLORS = {
  light: '--ink: #1f2328; --line: #6e7781; --a: #0969da; --b: #1a7f37; --soft: #ddf4ff; --room: #f6f8fa;',
  dark: '--ink: #e6edf3; --line: #8d96a0; --a: #4493f8; --b: #3fb950; --soft: #12243a; --room: #161b22;',
} as const;

/** A colour scheme. */
export type Scheme = keyof typeof COLORS;

const RULES = `
    text { fill: var(--ink); } .small { font-size: 11px; } .head { font-weight: 600; }
    .room { fill: var(--room); stroke: var(--line); stroke-dasharray: 4 3; } .box { fill: var(--soft); stroke: var(--a); }
    .arrow { stroke: var(--line); fill: none; marker-end: url(#tip); } .tip { fill: var(--line); } .axis { stroke: var(--line); }
    .used { fill: var(--a); } .rest { fill: var(--a); opacity: .35; } .leaf { fill: var(--b); }`;

/** Without a scheme, the colours follow the reader's settings. */
function styleOf(scheme: Scheme | undefined): string {
  const dark =
    scheme === undefined
      ? `
    @media (prefers-color-scheme: dark) { svg { ${COLORS.dark} } }`
      : '';
  return `
    svg { font: 13px system-ui, sans-serif; ${COLORS[scheme ?? 'light']} }${dark}${RULES}`;
}

/** A figure with its title and description. */
export function svg(
  size: readonly [number, number],
  { title, desc }: { title: string; desc: string },
  body: readonly string[],
  scheme?: Scheme,
): string {
  const [width, height] = size;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title desc">
  <title id="title">${title}</title>
  <desc id="desc">${desc}</desc>
  <style>${styleOf(scheme)}
  </style>
  <defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="tip" d="M0 0 8 4 0 8z"/></marker></defs>
${body.map((line) => `  ${line}`).join('\n')}
</svg>
`;
}

/** A line of text. */
export const text = (x: number, y: number, words: string, kind = '') =>
  `<text x="${x}" y="${y}"${kind === '' ? '' : ` class="${kind}"`}>${words}</text>`;

/** A named area. */
export const room = (at: readonly [number, number], size: readonly [number, number], name: string) => [
  `<rect class="room" x="${at[0]}" y="${at[1]}" width="${size[0]}" height="${size[1]}" rx="8"/>`,
  text(at[0] + 12, at[1] + 20, name, 'head'),
];

/** A box with the name and the kind of a thing. */
export const box = (at: readonly [number, number], name: string, is: string, width = 250) => [
  `<rect class="box" x="${at[0]}" y="${at[1]}" width="${width}" height="44" rx="6"/>`,
  text(at[0] + 10, at[1] + 18, name),
  text(at[0] + 10, at[1] + 35, is, 'small'),
];

/** An arrow along a path. */
export const arrow = (path: string) => `<path class="arrow" d="${path}"/>`;

/** The certificates of a mesh, their issuers and their Secrets. */
export function chainFigure(): string {
  const words = {
    title: 'Who issues what in the mesh, and where the Secrets are',
    desc: `In cert-manager's namespace, a self-signed Issuer signs the trust anchor ${ANCHOR}. Another Issuer signs the CA of the webhooks, ${WEBHOOK_ISSUER}. The ClusterIssuer ${IDENTITY_ISSUER} uses the anchor's Secret to sign the identity issuer in the namespace linkerd. The identity controller signs each proxy's certificate with the identity issuer. The ClusterIssuer ${WEBHOOK_ISSUER} signs the certificates of webhooks, each in its own namespace. A Bundle copies the anchors' certificates, without keys, into the ConfigMap ${TRUST_ROOTS} in linkerd. The injector passes them to proxies.`,
  };
  return svg([900, 470], words, [
    ...room([10, 10], [300, 360], 'namespace cert-manager'),
    ...box([35, 45], SELF_SIGNED_ISSUER, 'Issuer: self-signed'),
    ...box([35, 125], ANCHOR, 'Certificate and Secret: key of the root'),
    ...box([35, 225], WEBHOOK_ISSUER, 'Certificate and Secret: CA of the webhooks'),
    text(35, 300, 'The anchor carries the label', 'small'),
    text(35, 316, `${TRUST_ANCHOR_LABEL},`, 'small'),
    text(35, 332, 'by which the Bundle finds it.', 'small'),
    arrow('M160 89V123'),
    ...box([340, 125], IDENTITY_ISSUER, 'ClusterIssuer: signs with the anchor', 230),
    ...box([340, 225], WEBHOOK_ISSUER, 'ClusterIssuer', 230),
    ...box([340, 45], TRUST_ROOTS, 'Bundle: certificates without keys', 230),
    arrow('M285 147H338'),
    arrow('M285 247H338'),
    arrow('M285 135C312 130 312 70 338 68'),
    ...room([590, 10], [300, 275], 'namespace linkerd'),
    ...box([615, 45], TRUST_ROOTS, 'ConfigMap: roots that proxies trust'),
    ...box([615, 125], IDENTITY_ISSUER, 'Certificate and Secret: key of the issuer'),
    ...box([615, 225], 'linkerd-…-k8s-tls', 'Certificates and Secrets of three webhooks'),
    arrow('M570 67H613'),
    arrow('M570 147H613'),
    arrow('M570 247H613'),
    ...room([590, 300], [300, 70], 'other namespaces'),
    text(602, 342, 'Secrets of their webhooks: tap, tap-injector,', 'small'),
    text(602, 358, "the operator's", 'small'),
    arrow('M570 262C582 290 575 335 588 335'),
    ...room([340, 390], [550, 70], 'each meshed pod'),
    text(
      352,
      432,
      "A certificate for the pod's ServiceAccount. The proxy creates the key in a volume in memory.",
      'small',
    ),
    text(352, 448, 'Signed by the identity controller with the key of the issuer.', 'small'),
    arrow('M865 155H878V388'),
  ]);
}

const LEFT = 190;
const LENGTH = 660;

interface Bar {
  readonly label: string;
  readonly from: number;
  readonly used: number;
  readonly life: number;
  readonly leaf?: boolean;
}

function strip(
  top: number,
  { title, span, step, unit }: { title: string; span: number; step: number; unit: number },
  bars: readonly Bar[],
): readonly string[] {
  const x = (hours: number) => Math.round((LEFT + (hours / span) * LENGTH) * 10) / 10;
  const bottom = top + 26 + bars.length * 26;
  const ticks = Array.from({ length: Math.floor(span / step) + 1 }, (_, index) => index * step);
  return [
    text(10, top + 12, title, 'head'),
    ...bars.flatMap(({ label, from, used, life, leaf }, index) => {
      const y = top + 22 + index * 26;
      const width = (length: number) => Math.round((x(length) - x(0)) * 10) / 10;
      return [
        text(10, y + 14, label, 'small'),
        ...(leaf
          ? [`<rect class="leaf" x="${x(from)}" y="${y}" width="${width(life)}" height="18" rx="3"/>`]
          : [
              `<rect class="rest" x="${x(from)}" y="${y}" width="${width(Math.min(life, span - from))}" height="18" rx="3"/>`,
              `<rect class="used" x="${x(from)}" y="${y}" width="${width(Math.min(used, span - from))}" height="18" rx="3"/>`,
            ]),
      ];
    }),
    `<path class="axis" d="M${LEFT} ${bottom}H${LEFT + LENGTH}"/>`,
    ...ticks.flatMap((tick) => [
      `<path class="axis" d="M${x(tick)} ${bottom}v5"/>`,
      text(x(tick) - 6, bottom + 18, `${Math.round(tick / unit)}`, 'small'),
    ]),
  ];
}

/** The windows of the certificates on time lines. */
export function windowsFigure({ trustAnchor, identityIssuer, webhookIssuer, webhooks, leaf, skew }: Windows): string {
  const [day, year] = [24, 24 * 365];
  const last = identityIssuer.renewed;
  const words = {
    title: 'When each certificate is replaced, and how long it remains valid',
    desc: `By default, the identity issuer is valid for ${timeText(identityIssuer.life)} and is replaced at the age of ${timeText(identityIssuer.renewed)}. A proxy's certificate that it signs at the last moment is valid for another ${timeText(leaf + skew)}, and expires before the identity issuer. Certificates of webhooks are valid for ${timeText(webhooks.life)} and are replaced after ${timeText(webhooks.renewed)}. Their CA is valid for ${timeText(webhookIssuer.life)} and is replaced after ${timeText(webhookIssuer.renewed)}. The trust anchor is valid for ${timeText(trustAnchor.life)}; its rotation begins after ${timeText(trustAnchor.renewed)}.`,
  };
  const following = ({ life, renewed }: { life: number; renewed: number }, label: string): Bar[] => [
    { label, from: 0, used: renewed, life },
    { label: 'its successor', from: renewed, used: renewed, life },
  ];
  return svg([900, 520], words, [
    ...strip(10, { title: 'hours', span: 3 * day, step: 6, unit: 1 }, [
      ...following(identityIssuer, 'identity issuer'),
      { label: 'last proxy certificate it signs', from: last, used: 0, life: leaf + skew, leaf: true },
    ]),
    ...strip(
      150,
      { title: 'days', span: 14 * day, step: day, unit: day },
      following(webhooks, 'certificate of a webhook'),
    ),
    ...strip(
      270,
      { title: 'days', span: 730 * day, step: 73 * day, unit: day },
      following(webhookIssuer, 'CA of the webhooks'),
    ),
    ...strip(390, { title: 'years', span: 20 * year, step: year, unit: year }, following(trustAnchor, 'trust anchor')),
    text(
      LEFT,
      510,
      'Dark: in use. Light: replaced, but certificates that it signed are still valid. Green: one of these.',
      'small',
    ),
  ]);
}
