module example.com/remembrancer

go 1.19
