/** An image that a chart of others runs, where its values say another one. */
export interface ChartImage {
  /** Dotted path of the map that names it. */
  readonly at: string;
  /** Its name without a tag, as the chart has it of itself. */
  readonly name: string;
  readonly tag: string;
  /**
   * Dotted path of the value that turns off what runs it.
   *
   * @default - it always runs
   */
  readonly unless?: string;
}

const JETSTACK = 'quay.io/jetstack';

/** The parts of cert-manager, of which each has an image. */
const CERT_MANAGER = [
  { at: 'image', name: 'controller' },
  { at: 'webhook.image', name: 'webhook' },
  { at: 'cainjector.image', name: 'cainjector' },
  { at: 'acmesolver.image', name: 'acmesolver' },
  { at: 'startupapicheck.image', name: 'startupapicheck', unless: 'startupapicheck.enabled' },
];

/**
 * The certificates of public CAs for Bundles, which the mesh's has none of; trust-manager starts with them all the same
 * (trust-manager, make/00_debian_trixie_version.mk at v0.24.0, deploy/charts/trust-manager/values.yaml at v0.12.0).
 */
const DEFAULT_PACKAGE: Readonly<Record<string, Pick<ChartImage, 'name' | 'tag'>>> = {
  'v0.24.0': { name: `${JETSTACK}/trust-pkg-debian-trixie`, tag: '20250419.1' },
  'v0.12.0': { name: `${JETSTACK}/cert-manager-package-debian`, tag: '20210119.0' },
};

/** The images of cert-manager and trust-manager; undefined for other charts, whose images nobody here knows. */
export function chartImages(chart: string, version: string): readonly ChartImage[] | undefined {
  if (chart === 'cert-manager') {
    return CERT_MANAGER.map((image) => ({ ...image, name: `${JETSTACK}/cert-manager-${image.name}`, tag: version }));
  }
  const defaultPackage = chart === 'trust-manager' ? DEFAULT_PACKAGE[version] : undefined;
  if (defaultPackage === undefined) return undefined;
  return [
    { at: 'image', name: `${JETSTACK}/trust-manager`, tag: version },
    { at: 'defaultPackageImage', ...defaultPackage, unless: 'defaultPackage.enabled' },
  ];
}
