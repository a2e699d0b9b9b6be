export { brand } from '@clinic/contracts';
