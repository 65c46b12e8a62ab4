import { printableLine, printableText } from '#base/findings/printable-text';
import { unmarked } from '#kubernetes/findings/sealed-data';
import { mirroredImage } from '#kubernetes/objects/mirrored-image';
import { type Artifacts, artifactsOf, outside } from '#lib/cli/artifacts';
import { folderFrom, outputInFolder } from './folder-output';
import { EXIT, Misuse, type Terminal } from './terminal';

/** The options of `images`. */
export interface ImagesOptions {
  readonly from: string;
  readonly charts?: boolean;
  readonly json?: boolean;
  readonly to?: string;
  readonly only?: readonly string[];
}

/** Lists the images and charts that the clusters of an output pull, and refuses those outside of `--only`. */
export function images({ from, charts, json, only, to }: ImagesOptions, { stdout, stderr }: Terminal): number {
  const output = outputInFolder(folderFrom(from));
  if (output.size === 0) throw new Misuse(`--from ${from} contains no cluster: it is not the output of a Platform`);
  const found = unmarked(artifactsOf(output));
  const shown = only === undefined ? found : outside(found, only);
  const lines = charts ? chartLines(shown) : shown.images.map((image) => inColumns(image, to));
  stdout.write(
    json
      ? printableText(`${JSON.stringify({ ...found, ...shown }, undefined, 2)}\n`)
      : // Programs that read the list expect an image on each line.
        lines.map((line) => `${printableLine(line)}\n`).join(''),
  );
  for (const { path, reason } of found.unreadable) {
    stderr.write(`${printableLine(`warning: ${path} cannot be read: ${reason}`)}\n`);
  }
  for (const { name, version, repository } of found.unknown) {
    const chart = `${name} ${version} (${repository})`;
    stderr.write(`${printableLine(`warning: the images of ${chart} are unknown: run helm template to list them`)}\n`);
  }
  if (only === undefined) return EXIT.done;
  const isOutside = shown.images.length + shown.charts.length > 0;
  if (isOutside) stderr.write(`error: ${counts(shown)} are not from ${only.join(', ')}\n`);
  const isUnknown = found.unreadable.length > 0;
  if (isUnknown) stderr.write('error: files that cannot be read may contain other images or charts\n');
  return isOutside || isUnknown ? EXIT.refused : EXIT.done;
}

function inColumns(image: string, mirror: string | undefined): string {
  return mirror === undefined ? image : `${image} ${mirroredImage(image, mirror)}`;
}

function chartLines({ charts }: Pick<Artifacts, 'charts'>): readonly string[] {
  return charts.map(({ repository, name, version }) => `${repository} ${name} ${version}`);
}

function counts({ images, charts }: Pick<Artifacts, 'images' | 'charts'>): string {
  return `${images.length} ${images.length === 1 ? 'image' : 'images'} and ${charts.length} ${charts.length === 1 ? 'chart' : 'charts'}`;
}
