import { removeRunDirectory } from './cluster/run-directory';

/** Ends the clusters of the run. */
export default removeRunDirectory;
