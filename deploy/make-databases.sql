create database clob;
create database platform;
