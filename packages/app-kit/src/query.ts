// As in router.ts: only what is in use.
export { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
