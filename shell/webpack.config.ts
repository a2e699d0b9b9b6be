import { shellConfig } from '@clinic/webpack-config';

export default shellConfig(import.meta.dirname);
