-- Run by the Postgres image at the first start of an empty volume: the role that owns the schema and migrates it, and
-- the role of the API and the workers, to which row-level security applies.
\set ON_ERROR_STOP on
\set owner_password `cat /run/secrets/owner_password`
\set app_password `cat /run/secrets/app_password`
CREATE EXTENSION vector;
CREATE ROLE remembrancer_owner LOGIN NOSUPERUSER CREATEROLE NOBYPASSRLS PASSWORD :'owner_password';
SET ROLE remembrancer_owner;
CREATE ROLE remembrancer_app LOGIN NOSUPERUSER NOCREATEROLE NOBYPASSRLS PASSWORD :'app_password';
RESET ROLE;
ALTER DATABASE remembrancer OWNER TO remembrancer_owner;
