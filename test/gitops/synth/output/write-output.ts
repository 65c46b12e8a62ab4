import { indexOf } from '#lib/gitops/synth/output/cluster-index';
import { OutputWriter } from '#lib/gitops/synth/output/output-writer';

/** Texts by path, by folder of the output. */
export type Folders = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Makes an output consist of these folders and no others, as a synthesis does. */
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
