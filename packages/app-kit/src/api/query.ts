// As in router.ts: only what is used.
export { useQuery, useQueryClient } from '@tanstack/react-query';
