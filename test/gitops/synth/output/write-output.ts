import { indexOf } from '#lib/gitops/synth/output/cluster-index';
import { OutputWriter } from '#lib/gitops/synth/output/output-writer';

/** Texts by folder of the output and path. */
export type Folders = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Writes folders as a synthesis does, and removes all other folders. */
export function writeOutput(outdir: string, folders: Folders): void {
  const writer = OutputWriter.open(outdir, false);
  if (!(writer instanceof OutputWriter)) throw new Error(writer.what);
  for (const [folder, texts] of Object.entries(folders)) {
    const files = new Map(Object.entries(texts));
    const { problems } = writer.add(folder, { files, index: indexOf(files.keys(), []) });
    if (problems.length > 0) throw new Error(JSON.stringify(problems));
  }
  for (const folder of writer.otherFolders(new Set(Object.keys(folders)))) writer.remove(folder);
  writer.commit();
}
