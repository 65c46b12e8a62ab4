import { enliven } from './fleet-table';

enliven();
