import { removeRunDirectory } from './cluster/run-directory';

/** Ends the clusters of the test run. */
export default removeRunDirectory;
