-- A role for each database: who reads one has not got into the other. Both hold all of Unicode, whatever the server was made for.
\getenv exchange_password CLOB_DATABASE_PASSWORD
\getenv platform_password DATABASE_PASSWORD
create role clob login password :'exchange_password';
create database clob owner clob encoding 'UTF8' template template0;
revoke connect on database clob from public;
create role platform login password :'platform_password';
create database platform owner platform encoding 'UTF8' template template0;
revoke connect on database platform from public;
