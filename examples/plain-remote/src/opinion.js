export const opinion = 'Nothing here was built with the clinic’s own configuration.';
