import { buildBundle } from '../../operator/bundle/build-bundle';
import { buildPage } from '../../page/bundle/build-page';
import { createRunDirectory } from './cluster/run-directory';

/** Makes room for the clusters of this run, and bundles what the library carries: the operator and the report's script. */
export default async function setUp(): Promise<void> {
  createRunDirectory();
  await buildBundle();
  await buildPage();
}
